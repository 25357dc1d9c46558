type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** JSON Merge Patch (RFC 7396, section 2) of details: null removes, objects merge, everything else replaces. */
export function mergeDetails(target: unknown, patch: Members): Record<string, unknown> {
  const merged: Record<string, unknown> = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else merged[name] = isObject(value) ? mergeDetails(merged[name], value) : value;
  }
  return merged;
}
