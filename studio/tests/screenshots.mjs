// Writes the pictures of the studio that the documents show: node studio/tests/screenshots.mjs [FOLDER [NAME...]], after the program is built. NAME: of a picture,
// without "studio-"; without one, all of them. pngquant, where it is installed, makes them a third as large.

import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gif } from "./gif.mjs";
import { desk, Folder, launch, modelFile, open, phone } from "./helpers.mjs";

const figures = process.argv[2] ?? fileURLToPath(new URL("../../docs/figures/", import.meta.url));
const only = process.argv.slice(3);

const screen = (page, name) => page.evaluate((one) => window.studio.screen(one), name);
const pressed = (page, name) => page.getByRole("button", { name, exact: true }).click();
const tool = (page, name) => page.getByRole("radio", { name, exact: true }).click();
/** Two frames: what was asked for is drawn. */
const drawn = (page) => page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
/** What the engine was asked last has been answered and drawn. */
const settled = async (page) => {
  await page.waitForTimeout(400);
  await drawn(page);
};

/** A place of the drawing, as parts of its width and height. */
async function spotOf(page, x, y) {
  const box = await page.locator(".plane-sheet").boundingBox();
  return [box.x + x * box.width, box.y + y * box.height];
}

async function clicks(page, ...places) {
  for (const [x, y] of places) {
    const at = await spotOf(page, x, y);
    await page.mouse.move(...at, { steps: 3 });
    await page.mouse.click(...at);
    await drawn(page);
  }
}

/** Presses at a place and moves on to another, where the button stays down. */
async function hold(page, from, to, steps = 12) {
  await page.mouse.move(...from);
  await page.mouse.down();
  for (let k = 1; k <= steps; k += 1) {
    await page.mouse.move(from[0] + ((to[0] - from[0]) * k) / steps, from[1] + ((to[1] - from[1]) * k) / steps);
    await drawn(page);
  }
  await settled(page);
}

const moved = ([x, y], [dx, dy]) => [x + dx, y + dy];
const empty = `jounce = 1\nname   = "My first mechanism"\n\n[ground]\npoints = {}\n`;
const chain = [[0.26, 0.62], [0.33, 0.46], [0.6, 0.3]];

/** Each picture: what is opened, and what is done before it is taken. */
const pictures = {
  first: { dark: true, take: async () => undefined },
  draw: {
    text: empty,
    take: async (page) => {
      await tool(page, "Link");
      await clicks(page, ...chain);
      await page.mouse.move(...await spotOf(page, 0.74, 0.62), { steps: 5 });
      await settled(page);
    },
  },
  motor: {
    text: empty,
    take: async (page) => {
      await tool(page, "Link");
      await clicks(page, ...chain, [0.74, 0.62]);
      await page.keyboard.press("Enter");
      await tool(page, "Motor");
      await clicks(page, chain[0]);
      await page.getByRole("button", { name: "Pause" }).waitFor();
      await tool(page, "Pin");
      await clicks(page, [0.42, 0.34]);
      await tool(page, "Select");
      await settled(page);
    },
  },
  pull: {
    model: "four-bar",
    take: async (page) => {
      const [from, o] = [await screen(page, "crank.A"), await screen(page, "crank.O")];
      await hold(page, from, moved(o, [-150, -130]));
    },
  },
  reshape: {
    model: "four-bar",
    take: async (page) => {
      await page.keyboard.down("Alt");
      await hold(page, await screen(page, "crank.A"), moved(await screen(page, "crank.A"), [-48, -42]));
    },
  },
  errors: {
    model: "four-bar",
    take: async (page) => {
      await page.evaluate(() => window.studio.setText(window.studio.text().replace('j      = "coupler.A"', 'j      = "copler.A"')));
      await page.getByRole("list", { name: "Problems" }).getByRole("button").first().click();
      await settled(page);
    },
  },
  live: {
    model: "double-pendulum",
    take: async (page) => {
      await pressed(page, "Live");
      await page.waitForTimeout(600);
      const [from, pivot] = [await screen(page, "upper.B"), await screen(page, "ground.O")];
      await hold(page, from, moved(pivot, [150, 60]), 20);
    },
  },
  space: { model: "seven-joint-arm", take: settled },
  phone: { model: "four-bar", viewport: phone, context: { hasTouch: true, isMobile: true, deviceScaleFactor: 2 }, take: settled },
  gallery: {
    take: async (page) => {
      await pressed(page, "Gallery");
      await page.waitForTimeout(5000);
    },
  },
};

/** A drag as it is seen: the hand and the key that it holds are drawn, which pictures of a page leave out. */
const film = { model: "four-bar", viewport: { width: 960, height: 600 }, frame: 60, colours: 64 };

async function filmed(html, file) {
  const { page, close } = await open(browser, html, { viewport: film.viewport, colorScheme: "light" });
  await settled(page);
  await page.evaluate(() => {
    const hand = document.createElement("div");
    hand.innerHTML = '<svg width="22" height="30" viewBox="0 0 22 30"><path d="M2 2v21l5.2-4.7 3.4 8 4-1.7-3.4-7.8 7-.3z" fill="#1b2430" stroke="#fff" stroke-width="1.6"/></svg><kbd>Alt</kbd>';
    hand.style.cssText = "position:fixed;left:0;top:0;z-index:99;pointer-events:none";
    hand.lastElementChild.style.cssText = "position:absolute;left:22px;top:20px;font:600 13px system-ui;color:#fff;background:#0b62c4;border-radius:5px;padding:2px 7px;border:0";
    document.body.append(hand);
    window.showHand = (x, y, alt) => {
      hand.style.transform = `translate(${x}px,${y}px)`;
      hand.lastElementChild.hidden = !alt;
    };
  });
  const shots = [];
  let alt = false;
  const shot = async (stays = film.frame) => { shots.push({ png: await page.screenshot(), stays }); };
  /** The hand goes along a path, and the pictures are taken when the page has followed. */
  const go = async (from, to, count, { slow = false } = {}) => {
    for (let k = 1; k <= count; k += 1) {
      const part = slow ? k / count : (1 - Math.cos((Math.PI * k) / count)) / 2;
      const at = typeof to === "function" ? to(part) : [from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part];
      await page.mouse.move(...at);
      await page.evaluate(([x, y, held]) => window.showHand(x, y, held), [...at, alt]);
      await page.waitForTimeout(120);
      await drawn(page);
      await shot();
    }
  };
  const key = async (down) => {
    alt = down;
    await page.keyboard[down ? "down" : "up"]("Alt");
  };
  const [pin, centre] = [await screen(page, "crank.A"), await screen(page, "crank.O")];
  const start = Math.atan2(pin[1] - centre[1], pin[0] - centre[0]);
  const around = (turn) => (part) => [centre[0] + Math.hypot(pin[0] - centre[0], pin[1] - centre[1]) * Math.cos(start - turn(part)), centre[1] + Math.hypot(pin[0] - centre[0], pin[1] - centre[1]) * Math.sin(start - turn(part))];
  const rest = [430, 420];
  await go(rest, rest, 1);
  shots.at(-1).stays = 600;
  // by its joints: the crank goes round, and the cursor in the plots with it
  await go(rest, pin, 5);
  await page.mouse.down();
  await go(pin, around((part) => 1.9 * part), 12);
  await page.mouse.up();
  // the shape itself: pivots are elsewhere, and every curve is another one
  const now = await screen(page, "crank.A");
  await key(true);
  await page.mouse.down();
  await go(now, moved(now, [-22, -16]), 8);
  await page.mouse.up();
  const point = await screen(page, "coupler.P");
  await go(moved(now, [-22, -16]), point, 5);
  await page.mouse.down();
  await go(point, moved(point, [60, 70]), 9);
  await go(moved(point, [60, 70]), moved(point, [110, -20]), 9);
  await page.mouse.up();
  await key(false);
  shots.at(-1).stays = 900;
  await close();
  writeFileSync(file, await gif(browser, shots, { width: film.viewport.width, colours: film.colours, tolerance: 8 }));
  console.log(file, shots.length);
}

const folder = new Folder();
const browser = await launch();
const wanted = (name) => only.length === 0 || only.includes(name);

async function taken(name, html, { take, viewport = desk, context = {} }, colorScheme, ending) {
  const { page, close } = await open(browser, html, { viewport, colorScheme, ...context });
  await settled(page);
  await take(page);
  const file = join(figures, `studio-${name}${ending}.png`);
  await page.screenshot({ path: file });
  spawnSync("pngquant", ["--force", "--ext", ".png", "--speed", "1", "--strip", "256", file]);
  await close();
  console.log(file);
}

try {
  for (const [name, picture] of Object.entries(pictures).filter(([one]) => wanted(one))) {
    const html = folder.page(picture.model ? modelFile(picture.model) : picture.text ? folder.write(`${name}.toml`, picture.text) : null);
    await taken(name, html, picture, "light", "");
    if (picture.dark) await taken(name, html, picture, "dark", "-dark");
  }
  if (wanted("film")) await filmed(folder.page(folder.write("four-bar.toml", readFileSync(modelFile(film.model), "utf8").replace('"kinematics"', '"inverse"'))), join(figures, "studio-drag.gif"));
} finally {
  await browser.close();
  folder.remove();
}
