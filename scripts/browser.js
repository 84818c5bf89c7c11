// Examines pages in a browser: what `scripts/pages`, `scripts/try-page`, `scripts/try-editor` and `scripts/try-click` share.
//
//   npm install --prefix target/page-tools puppeteer-core axe-core
"use strict";
const fs = require("fs"), path = require("path");
const tools = path.join(__dirname, "..", "target", "page-tools", "node_modules");
const puppeteer = require(path.join(tools, "puppeteer-core"));
const axe = fs.readFileSync(path.join(tools, "axe-core", "axe.min.js"), "utf8");
const WIDTHS = [360, 800, 1400];
const BROWSER = process.env.BROWSER || "/usr/bin/chromium-headless-shell";

const launchBrowser = (options = {}) =>
  puppeteer.launch({ executablePath: BROWSER, args: ["--no-sandbox", "--disable-gpu"], ...options });

// Runs axe-core in a world of its own, since the policy of the page forbids other scripts.
async function brokenRules(page, scheme) {
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  const client = await page.createCDPSession();
  const { frameTree } = await client.send("Page.getFrameTree");
  const { executionContextId: contextId } =
    await client.send("Page.createIsolatedWorld", { frameId: frameTree.frame.id });
  await client.send("Runtime.evaluate", { expression: axe, contextId });
  const expression = "axe.run(document).then((result) => JSON.stringify(result.violations.map((rule) => " +
    "`${rule.id} (${rule.nodes.length}): ${rule.nodes[0].html.slice(0, 120)}`)))";
  const ran = await client.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true, contextId });
  return JSON.parse(ran.result.value).map((rule) => `${scheme}: ${rule}`);
}

// Returns the links, switches and scrollable parts that the Tab key does not reach.
async function unreachable(page) {
  await page.evaluate(() => {
    let number = 0;
    for (const part of document.querySelectorAll("a[href],select,input,textarea,button,summary,pre,.scroll")) {
      const scrolls = part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 1;
      if (part.ariaHidden === "true") continue;
      const is_wanted = part.matches("pre,.scroll") ? scrolls : part.type !== "radio" || part.checked;
      if (is_wanted) part.dataset.number = number++;
    }
  });
  const reached = new Set();
  for (;;) {
    await page.keyboard.press("Tab");
    const number = await page.evaluate(() => {
      const part = document.activeElement;
      if (part === document.body) return null;
      return getComputedStyle(part).outlineStyle === "none" ? "" : part.dataset.number || "";
    });
    if (number === null) break;
    reached.add(number);
  }
  const missed = (all) => [...document.querySelectorAll("[data-number]")]
    .filter((part) => !all.includes(part.dataset.number)).map((part) => `no focus: ${part.outerHTML.slice(0, 80)}`);
  return page.evaluate(missed, [...reached]);
}

// Returns by how many pixels the page is wider than windows of these widths.
async function overflows(page) {
  const faults = [];
  for (const width of WIDTHS) {
    await page.setViewport({ width, height: 900 });
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (over > 0) faults.push(`${over} pixels wider than ${width}`);
  }
  return faults;
}

module.exports = { WIDTHS, brokenRules, launchBrowser, overflows, unreachable };
