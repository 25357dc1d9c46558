// A failed try is remembered for a day, so that later starts are quick.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const RETRY_AFTER_MS = 24 * 60 * 60_000;

/** Whether all of `names` were missing after the last try, and that is less than a day ago. */
export function hasFailedLately(path, names) {
  try {
    const { triedAt, missing } = JSON.parse(readFileSync(path, 'utf8'));
    const age = Date.now() - triedAt;
    return age >= 0 && age < RETRY_AFTER_MS && names.every((name) => missing.includes(name));
  } catch {
    return false;
  }
}

/** Notes what is missing after a try; nothing when `missing` is empty. */
export function rememberMissing(path, missing) {
  try {
    if (missing.length === 0) return rmSync(path, { force: true });
    mkdirSync(dirname(path), { recursive: true });
    return writeFileSync(path, `${JSON.stringify({ triedAt: Date.now(), missing })}\n`);
  } catch {
    // Then the next start tries again.
    return undefined;
  }
}
