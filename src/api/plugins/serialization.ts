import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { FastifyInstance } from 'fastify';

/**
 * Answers are serialised by their schemas, as Fastify does, but each serialiser is compiled by the first answer that needs
 * it: all of them at once would take a third of a second of every start.
 */
export function registerSerialization(app: FastifyInstance): void {
  const compile = SerializerSelector()(app.getSchemas());
  app.setSerializerCompiler((route) => {
    let serialize: ReturnType<typeof compile> | undefined;
    return (data) => {
      serialize ??= compile({ ...route, httpStatus: route.httpStatus ?? '200' });
      return serialize(data);
    };
  });
}
