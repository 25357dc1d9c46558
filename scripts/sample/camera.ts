/** A pinhole camera over the pitch: metres in, pixels out. x runs along the pitch, z across it, y up; the centre spot is 0,0,0. */
export type Vec3 = readonly [number, number, number];
export interface ScreenPoint {
  readonly x: number;
  readonly y: number;
  /** Pixels per metre at that distance. */
  readonly scale: number;
}
export interface Camera {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly at: Vec3;
  readonly horizonPx: number;
  /** Undefined behind the camera. */
  project(point: Vec3): ScreenPoint | undefined;
  /** `points` attribute of a polygon, clipped at the lens; undefined when nothing of it is in front or in the frame. */
  polygon(points: readonly Vec3[]): string | undefined;
  inFrame(point: ScreenPoint, marginPx?: number): boolean;
}
export interface CameraOptions {
  readonly at: Vec3;
  readonly target: Vec3;
  readonly fovDeg: number;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Half of a pitch of 105 x 68 m. */
export const HALF_LENGTH = 52.5;
export const HALF_WIDTH = 34;

const NEAR_M = 0.4;
const sub = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const unit = (a: Vec3): Vec3 => {
  const length = Math.hypot(...a);
  return [a[0] / length, a[1] / length, a[2] / length];
};

export function createCamera(options: CameraOptions): Camera {
  const { at, target, widthPx, heightPx } = options;
  const forward = unit(sub(target, at));
  const right = unit(cross(forward, [0, 1, 0]));
  const up = cross(right, forward);
  const focalPx = widthPx / 2 / Math.tan((options.fovDeg * Math.PI) / 360);
  const toCamera = (point: Vec3): Vec3 => {
    const offset = sub(point, at);
    return [dot(offset, right), dot(offset, up), dot(offset, forward)];
  };
  const toScreen = (c: Vec3): ScreenPoint => ({
    x: widthPx / 2 + (c[0] / c[2]) * focalPx,
    y: heightPx / 2 - (c[1] / c[2]) * focalPx,
    scale: focalPx / c[2],
  });
  const inFrame = (point: ScreenPoint, marginPx = 0): boolean =>
    point.x > -marginPx && point.x < widthPx + marginPx && point.y > -marginPx && point.y < heightPx + marginPx;
  return {
    widthPx,
    heightPx,
    at,
    horizonPx: heightPx / 2 + (forward[1] / Math.hypot(forward[0], forward[2])) * focalPx,
    inFrame,
    project(point) {
      const c = toCamera(point);
      return c[2] < NEAR_M ? undefined : toScreen(c);
    },
    polygon(points) {
      const clipped: Vec3[] = [];
      const cam = points.map(toCamera);
      cam.forEach((a, index) => {
        const b = cam[(index + 1) % cam.length] ?? a;
        if (a[2] >= NEAR_M) clipped.push(a);
        if (a[2] < NEAR_M !== b[2] < NEAR_M) {
          const t = (NEAR_M - a[2]) / (b[2] - a[2]);
          clipped.push([a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, NEAR_M]);
        }
      });
      if (clipped.length < 3) return undefined;
      const screen = clipped.map(toScreen);
      const outside =
        screen.every((p) => p.x < 0) ||
        screen.every((p) => p.x > widthPx) ||
        screen.every((p) => p.y < 0) ||
        screen.every((p) => p.y > heightPx);
      return outside ? undefined : screen.map((p) => `${p.x.toFixed(1)},${p.y.toFixed(1)}`).join(' ');
    },
  };
}

/** A flat shape in the world as an SVG polygon, or nothing when it is out of sight. */
export function groundPolygon(camera: Camera, points: readonly Vec3[], fill: string, extra = ''): string {
  const shape = camera.polygon(points);
  return shape === undefined ? '' : `<polygon points="${shape}" fill="${fill}" ${extra}/>`;
}
