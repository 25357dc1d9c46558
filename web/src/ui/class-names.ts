/** Class names that hold, joined: `classNames('button', isQuiet && 'button-quiet')`. */
export function classNames(...names: readonly (string | false | undefined)[]): string {
  return names.filter((name) => name !== false && name !== undefined && name !== '').join(' ');
}
