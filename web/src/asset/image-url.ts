/** An image URL with these parameters (docs/images.md); those that are empty are left out. */
export function withParameters(url: string, parameters: Readonly<Record<string, string>>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== '');
  if (given.length === 0) return url;
  // Commas and colons need no escape behind `?` (RFC 3986, 3.4), and people read and edit these.
  const text = new URLSearchParams(given).toString().replaceAll('%2C', ',').replaceAll('%3A', ':');
  return `${url}${url.includes('?') ? '&' : '?'}${text}`;
}
