"use strict";
// Adds a choice of orders above each matrix; without scripts, rows stay in the order of the package.
for (const matrix of document.querySelectorAll(".matrix")) {
  const table = matrix.querySelector("table.verdicts"), body = table.tBodies[0];
  const rows = [...body.rows], programs = rows.filter((row) => row.dataset.verdict);
  if (programs.length < 2) continue;
  const names = new Map(programs.map((row) => [row, row.querySelector("a").textContent]));
  const most = (key) => (a, b) => b.dataset[key] - a.dataset[key];
  const text = (of) => (a, b) => (of(a) < of(b) ? -1 : of(a) > of(b) ? 1 : 0);
  const orders = [
    ["as in the package", null],
    ["not as expected first", (a, b) => b.classList.contains("unmet") - a.classList.contains("unmet")],
    ["verdict", text((row) => row.dataset.verdict)],
    ["most test cases that reject", most("rejections")],
    ["slowest first", most("time"), "time"],
    ["most memory first", most("memory"), "memory"],
    ["most points first", most("points"), "points"],
    ["name", text((row) => names.get(row))],
  ].filter((order) => !order[2] || programs.some((row) => order[2] in row.dataset));
  const label = document.createElement("label"), select = document.createElement("select");
  label.className = "order";
  for (const [name] of orders) select.add(new Option(name));
  select.addEventListener("change", () => {
    const order = orders[select.selectedIndex][1];
    table.classList.toggle("sorted", order !== null);
    for (const row of programs) {
      const link = row.querySelector("a");
      link.textContent = order ? link.title : names.get(row);
    }
    body.replaceChildren(...(order ? [...programs].sort(order) : rows));
  });
  label.append("Order: ", select);
  matrix.prepend(label);
}
