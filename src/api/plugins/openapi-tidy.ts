type Node = { [name: string]: unknown };

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

/** `anyOf` of constants is an `enum`: one type instead of many for whoever generates a client. */
function mergedEnum(schema: Node): Node {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || !anyOf.every((one) => isNode(one) && Array.isArray(one['enum']))) return schema;
  const types = new Set(anyOf.map((one: Node) => one['type']));
  if (types.size > 1) return schema;
  const [type] = types;
  return { ...rest, ...(type === undefined ? {} : { type }), enum: anyOf.flatMap((one: Node) => one['enum']) };
}

const hasDefault = (schema: unknown): boolean => isNode(schema) && schema['default'] !== undefined;

/** What has a default need not be given: the validator fills it in before it asks what is required. */
function withoutRequiredDefaults(schema: Node): Node {
  const { required, properties, ...rest } = schema;
  if (required === true && schema['in'] === 'query' && hasDefault(schema['schema']))
    return { ...schema, required: false };
  if (!Array.isArray(required) || !isNode(properties)) return schema;
  const needed = required.filter((name) => !hasDefault(properties[String(name)]));
  return { ...rest, properties, ...(needed.length > 0 && { required: needed }) };
}

/** The document without what only our validator reads (`expected`), with unions of constants as enums, and nothing required that has a default. */
export function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidy);
  if (!isNode(value)) return value;
  const members = Object.entries(value).filter(([name, member]) => name !== 'expected' || typeof member !== 'string');
  return withoutRequiredDefaults(mergedEnum(Object.fromEntries(members.map(([name, member]) => [name, tidy(member)]))));
}
