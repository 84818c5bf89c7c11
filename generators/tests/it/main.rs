//! Property tests of the generators through their public interface.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
#![allow(unreachable_pub, reason = "generator programs are modules here")]

mod boards;
mod budgets;
mod caos3;
mod cf1921e;
mod cheftic;
mod choices;
mod ckcgame;
mod exhaustive;
mod gamedots;
mod golden;
mod graphs;
mod intervals;
mod numbers;
mod products;
mod rebut;
mod sizes;
mod swarm;
mod texts;
mod weights;
