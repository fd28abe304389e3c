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

/* A picture of the page for people to look at. */
export async function picture(page, name) {
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
}
