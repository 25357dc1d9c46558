import type { FastifyInstance } from 'fastify';

export type RouteTable = {
  /** The methods that the service answers at a path, in order; none when there is nothing. A fixed path goes before `:id`. */
  methodsAt(path: string): readonly string[];
  /** The same for routes whose whole path is fixed. */
  methodsAtLiteral(path: string): readonly string[];
};

type Entry = { readonly pattern: RegExp; readonly isLiteral: boolean; readonly methods: readonly string[] };

function patternOf(url: string): RegExp {
  const escaped = url
    .replace(/\/$/, '')
    .replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/:[A-Za-z]+/g, '[^/]+')
    .replaceAll('*', '.*');
  return new RegExp(`^${escaped}/?$`);
}

/** Notes every route that is registered from now on: tells a wrong method from a wrong address. */
export function createRouteTable(app: FastifyInstance): RouteTable {
  const entries: Entry[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    entries.push({ pattern: patternOf(url), isLiteral: !/[:*]/.test(url), methods: [method].flat() });
  });
  const methodsOf = (path: string, isLiteral: boolean) =>
    [
      ...new Set(
        entries.filter((one) => one.isLiteral === isLiteral && one.pattern.test(path)).flatMap((one) => one.methods),
      ),
    ].sort();
  return {
    methodsAt(path) {
      const literal = methodsOf(path, true);
      return literal.length > 0 ? literal : methodsOf(path, false);
    },
    methodsAtLiteral: (path) => methodsOf(path, true),
  };
}
