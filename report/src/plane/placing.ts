// Chooses one seat for the name of each body for the whole run: clear of pins, of bars and of the other names as often as can be.

import type { Report } from "../report";
import type { Camera } from "./camera";
import type { Layout } from "./layout";
import { depth, Obstacles, type Capsule, type Obstacle } from "./obstacles";
import { sweep, type Poses } from "./pose";
import { cover, Seats, type Seat } from "./seats";

export interface Place {
  seat: Seat;
  text: string;
  width: number;
}

interface Candidate {
  seat: Seat;
  /** Where the name is at the samples looked at. */
  covers: Capsule[];
  /** Cost without the other names. */
  alone: number;
}

export const nameHeight = 14;
/** Samples looked at, fewer where there are many bodies. */
const looked = 24;
const many = 20;
/** With more bodies than this all names take their first seat. */
const mostPlaced = 60;
const otherName = 6;
const beyondEdge = 8;
const ownRim = 1;
/** A name rather crosses the edge of its own body than that of another. */
const ownEdge = 0.6;
const rounds = 3;
/** Room that is wanted around a name. */
const wanted = 4;

/** 0 with enough room, 1 where the name lies on it altogether. */
function harm(name: Capsule, other: Capsule): number {
  const inside = depth(name, other, wanted) + wanted;
  return inside <= 0 ? 0 : Math.min(1, inside / nameHeight);
}

function outside(name: Capsule, camera: Camera): number {
  const beyond = Math.max(name.radius - name.y0, name.y0 + name.radius - camera.height, name.radius - name.x0, name.x1 + name.radius - camera.width, 0);
  return Math.min(1, beyond / nameHeight);
}

/** True for a name that lies in a disc with its whole length. */
function within(name: Capsule, disc: Capsule): boolean {
  const farthest = Math.max(Math.hypot(name.x0 - disc.x0, name.y0 - disc.y0), Math.hypot(name.x1 - disc.x0, name.y1 - disc.y0));
  return farthest + name.radius <= disc.radius;
}

/** Sum over the obstacles; a name may lie in the wheel that it belongs to, but not across its rim. */
function harmAlone(name: Capsule, body: number, obstacles: Obstacle[], camera: Camera): number {
  let sum = beyondEdge * outside(name, camera);
  for (const one of obstacles) {
    const wheel = one.x0 === one.x1 && one.y0 === one.y1;
    if (one.body === body && wheel) sum += within(name, one) ? 0 : ownRim * harm(name, one);
    else sum += (one.body === body ? ownEdge : 1) * one.weight * harm(name, one);
  }
  return sum;
}

function place(one: Candidate | null | undefined, text = "", width = 0): Place | null {
  return one ? { seat: one.seat, text, width } : null;
}

export class Placing {
  private readonly seats: Seats;
  private readonly obstacles: Obstacles;

  constructor(private readonly report: Report, private readonly layout: Layout, private readonly poses: Poses, private readonly camera: Camera) {
    this.seats = new Seats(report, layout);
    this.obstacles = new Obstacles(report, layout, poses, camera);
  }

  /** One place for each outline, in their order; the poses are left at the last sample. */
  choose(unit: number, texts: string[], widths: number[]): (Place | null)[] {
    const all = this.layout.outlines.map((outline) => this.seats.of(outline).map((seat): Candidate => ({ seat, covers: [], alone: 0 })));
    if (all.length > mostPlaced) return all.map((candidates, index) => place(candidates[0], texts[index], widths[index]));
    let count = 0;
    sweep(this.report, this.poses, all.length > many ? looked / 2 : looked, () => {
      const obstacles = this.obstacles.now(unit);
      count += 1;
      all.forEach((candidates, index) => {
        for (const one of candidates) {
          const name = cover(one.seat, widths[index] ?? 0, nameHeight, unit, this.poses, this.camera, { x0: 0, y0: 0, x1: 0, y1: 0, radius: 0 });
          one.covers.push(name);
          one.alone += harmAlone(name, one.seat.body, obstacles, this.camera);
        }
      });
    });
    for (const candidates of all) for (const one of candidates) one.alone = one.seat.dislike + one.alone / count;
    const chosen = this.settle(all, count);
    return chosen.map((one, index) => place(one, texts[index], widths[index]));
  }

  /** Each takes its best seat among the others, those with the fewest good ones first; then all think again. */
  private settle(all: Candidate[][], count: number): (Candidate | null)[] {
    const least = all.map((candidates) => Math.min(...candidates.map((one) => one.alone)));
    const order = all.map((_, index) => index).sort((a, b) => (least[b] ?? 0) - (least[a] ?? 0));
    const chosen: (Candidate | null)[] = all.map(() => null);
    for (let round = 0; round < rounds; round += 1)
      for (const index of order) {
        let best = Infinity;
        for (const one of all[index] ?? []) {
          if (one.alone >= best) continue;
          let cost = one.alone;
          for (const [other, taken] of chosen.entries()) {
            if (!taken || other === index) continue;
            for (let k = 0; k < count && cost < best; k += 1) {
              const [mine, theirs] = [one.covers[k], taken.covers[k]];
              if (mine && theirs) cost += (otherName * harm(mine, theirs)) / count;
            }
          }
          if (cost >= best) continue;
          best = cost;
          chosen[index] = one;
        }
      }
    return chosen;
  }

  /** How much of each name can be seen now: names give way to pins, and to those before them. */
  visible(places: (Place | null)[], unit: number): { name: Capsule; opacity: number }[] {
    const pins = this.obstacles.pins(unit);
    const shown: { name: Capsule; opacity: number }[] = [];
    for (const place of places) {
      const name: Capsule = { x0: 0, y0: 0, x1: 0, y1: 0, radius: 0 };
      let opacity = 0;
      if (place) {
        cover(place.seat, place.width, nameHeight, unit, this.poses, this.camera, name);
        let worst = 0;
        for (const pin of pins) worst = Math.max(worst, depth(name, pin));
        for (const before of shown) worst = Math.max(worst, depth(name, before.name) * Math.min(1, 2 * before.opacity));
        // Gone once it lies six pixels deep; a change of the pose changes it little by little.
        opacity = Math.max(0, Math.min(1, 1.25 - worst / 5));
      }
      shown.push({ name, opacity });
    }
    return shown;
  }
}
