import type { CuttingProxy, PassedAnswer } from '../servers/cutting-proxy.ts';

/** How often each object below a prefix was completed, by what passed the proxy. `completes` knows the protocol's last step. */
export function countArrivals(
  proxy: CuttingProxy,
  options: { readonly prefix: string; readonly completes: (answer: PassedAnswer, query: URLSearchParams) => boolean },
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const answer of proxy.answers) {
    const url = new URL(answer.url, 'http://target');
    const path = decodeURIComponent(url.pathname);
    if (!path.startsWith(options.prefix) || answer.status >= 300) continue;
    if (!options.completes(answer, url.searchParams)) continue;
    const name = path.slice(options.prefix.length);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}
