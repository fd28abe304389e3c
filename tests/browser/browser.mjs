// One Chromium for a file of tests, and pages that tell of everything that should not happen in them.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

export const folder = join(process.env.FOLDER, "pages");
const pictures = join(process.env.FOLDER, "pictures");

export const launch = () =>
  chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });

export const readJSON = (name) => JSON.parse(readFileSync(join(folder, name), "utf8"));

/* A page from the disk.  page.check() closes it: no message in the console, no error, no request but the file itself. */
export async function open(browser, name, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints = [];
  const address = pathToFileURL(join(folder, name)).href;
  page.on("console", (message) => complaints.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => complaints.push(`dialog: ${dialog.message()}`));
  page.on("request", (request) => {
    if (request.url().split("#")[0] !== address) complaints.push(`request: ${request.url()}`);
  });
  await page.goto(address);
  page.check = async () => {
    assert.deepEqual(complaints, []);
    await context.close();
  };
  return page;
}

/* How much two colours, as getComputedStyle gives them, stand out from each other: from 1 to 21. */
export function contrast(one, other) {
  const light = (colour) => {
    const numbers = colour.match(/[\d.]+/g).slice(0, 3).map((text) => colour.startsWith("color") ? +text : text / 255);
    const linear = numbers.map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const [a, b] = [light(one), light(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/* A picture of the page for people to look at. */
export async function picture(page, name) {
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
}
