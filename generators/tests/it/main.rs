//! The laws of the generators, tested from outside.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop here")]

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
mod sizes;
mod swarm;
mod texts;
mod weights;
