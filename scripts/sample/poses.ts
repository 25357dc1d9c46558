/** Joint angles in degrees from straight down; positive turns towards the right of the picture (forward for a figure in profile). */
export interface Pose {
  readonly lean: number;
  /** Upper arm, forearm. */
  readonly armL: readonly [number, number];
  readonly armR: readonly [number, number];
  /** Thigh, shin. */
  readonly legL: readonly [number, number];
  readonly legR: readonly [number, number];
  readonly headTilt?: number;
  /** Height of the lowest foot over the ground as a share of the body height. */
  readonly lift?: number;
}

export const POSES = {
  stand: { lean: 0, armL: [-10, -4], armR: [10, 4], legL: [-4, -3], legR: [4, 3] },
  hips: { lean: 0, armL: [-42, 38], armR: [42, -38], legL: [-7, -5], legR: [7, 5] },
  crossed: { lean: 0, armL: [-16, 74], armR: [16, -74], legL: [-5, -4], legR: [5, 4] },
  armsUp: { lean: 0, armL: [-142, -168], armR: [142, 168], legL: [-10, -6], legR: [10, 6], headTilt: -4 },
  leap: { lean: 3, armL: [-128, -150], armR: [155, 172], legL: [-24, -30], legR: [24, -28], lift: 0.14 },
  point: { lean: -3, armL: [-30, 18], armR: [158, 166], legL: [-8, -5], legR: [9, 6], headTilt: 6 },
  spread: { lean: 0, armL: [-92, -98], armR: [92, 98], legL: [-12, -6], legR: [12, 6] },
  handsOnHead: { lean: 0, armL: [-138, 150], armR: [138, -150], legL: [-6, -4], legR: [6, 4], headTilt: 5 },
  clap: { lean: 0, armL: [-24, 128], armR: [24, -128], legL: [-5, -3], legR: [5, 3] },
  lift: { lean: 0, armL: [-158, 170], armR: [158, -170], legL: [-8, -5], legR: [8, 5], headTilt: -5 },
  huddle: { lean: 0, armL: [-72, -88], armR: [72, 88], legL: [-6, -4], legR: [6, 4] },
  keeperSet: { lean: 0, armL: [-48, -20], armR: [48, 20], legL: [-24, -4], legR: [24, 4] },
  // In profile, looking right.
  run: { lean: 13, armL: [58, 128], armR: [-52, 24], legL: [62, 2], legR: [-22, -72] },
  sprint: { lean: 19, armL: [-62, 22], armR: [60, 132], legL: [-32, -64], legR: [74, -8], lift: 0.02 },
  dribble: { lean: 16, armL: [36, 92], armR: [-46, 4], legL: [38, -14], legR: [-12, -56] },
  windUp: { lean: 8, armL: [74, 84], armR: [-62, -40], legL: [14, 4], legR: [-42, -104] },
  strike: { lean: -10, armL: [-66, -44], armR: [66, 82], legL: [6, -6], legR: [66, 58] },
  header: { lean: 10, armL: [-70, -20], armR: [62, 110], legL: [-14, -66], legR: [16, -48], headTilt: 8, lift: 0.2 },
  tackle: { lean: -46, armL: [-50, -30], armR: [20, 60], legL: [58, -22], legR: [84, 86] },
  dive: { lean: 68, armL: [118, 112], armR: [104, 100], legL: [-58, -80], legR: [-84, -62], headTilt: -20, lift: 0.3 },
  kneeSlide: { lean: -22, armL: [-100, -124], armR: [104, 132], legL: [26, -86], legR: [34, -88], headTilt: -14 },
  handsOnKnees: { lean: 52, armL: [6, 16], armR: [2, 14], legL: [26, -8], legR: [20, -12], headTilt: 26 },
  sit: { lean: -4, armL: [22, 88], armR: [26, 84], legL: [86, 2], legR: [80, -4], headTilt: 22 },
  throwIn: { lean: -6, armL: [160, 196], armR: [166, 200], legL: [10, 0], legR: [-14, -22] },
  walk: { lean: 3, armL: [-22, -6], armR: [24, 40], legL: [20, 8], legR: [-16, -28] },
} as const satisfies Readonly<Record<string, Pose>>;
export type PoseName = keyof typeof POSES;
