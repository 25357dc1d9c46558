/**
 * TypeScript types of an OpenAPI 3.1 document, in the form that openapi-fetch takes: `paths` by path and method, and
 * `components.schemas`. It knows the part of JSON Schema that this service's own document uses and refuses the rest, so that
 * a new keyword cannot become a wrong type silently.
 */
export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema | false;
  readonly prefixItems?: readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly default?: unknown;
};

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;
type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: Schema;
  readonly description?: string;
};
export type Operation = {
  readonly operationId?: string;
  readonly summary?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: Content }>>;
};
export type OpenApiDocument = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;
const PLACES = ['query', 'header', 'path', 'cookie'] as const;
/** Keywords that narrow values in ways that a type does not say, and notes. */
const WITHOUT_TYPE =
  /^(?:\$id|title|description|deprecated|default|examples?|format|pattern|(?:min|max)(?:imum|Length|Items|Properties)|exclusive(?:Min|Max)imum|multipleOf|uniqueItems|propertyNames|contentMediaType|contentEncoding|readOnly|writeOnly|if|then|else|not|minContains|expected|x-.*)$/;
const WITH_TYPE =
  /^(?:\$ref|type|properties|required|items|prefixItems|additionalProperties|patternProperties|anyOf|oneOf|allOf|enum|const)$/;

const keyOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));
const isUnion = (text: string): boolean => / [|&] /.test(text);

function noteOf(text: string | undefined, deprecated: boolean | undefined): string {
  const lines = [text?.replaceAll('*/', '*\\/').replaceAll(/\s+/g, ' '), deprecated ? '@deprecated' : undefined];
  const note = lines.filter((line) => line !== undefined && line !== '').join(' ');
  return note === '' ? '' : `/** ${note} */\n`;
}

/** Object types as they were written. */
const shapes = new Set<string>();

function shaped(text: string): string {
  shapes.add(text);
  return text;
}

function membersOf(schema: Schema): string[] {
  const required = new Set(schema.required);
  const members = Object.entries(schema.properties ?? {}).map(
    ([name, member]) =>
      `${noteOf(member.description, member.deprecated)}${keyOf(name)}${required.has(name) ? '' : '?'}: ${typeOf(member)};`,
  );
  const patterns = Object.values(schema.patternProperties ?? {});
  const { additionalProperties: rest } = schema;
  const open = [...patterns, ...(typeof rest === 'object' ? [rest] : [])].map(typeOf);
  if (rest === true) open.push('unknown');
  return open.length === 0 ? members : [...members, `[name: string]: ${[...new Set(open)].join(' | ')};`];
}

function objectOf(schema: Schema): string {
  const members = membersOf(schema);
  if (members.length > 0) return shaped(`{\n${members.join('\n')}\n}`);
  return schema.additionalProperties === false ? 'Record<string, never>' : 'Record<string, unknown>';
}

function arrayOf(schema: Schema): string {
  if (schema.prefixItems) return `[${schema.prefixItems.map(typeOf).join(', ')}]`;
  const item = schema.items ? typeOf(schema.items) : 'unknown';
  return isUnion(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
}

function simpleTypeOf(type: string, schema: Schema): string {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return arrayOf(schema);
    case 'object':
      return objectOf(schema);
    default:
      throw new Error(`expected a type of JSON Schema, received ${type}`);
  }
}

const unionOf = (types: readonly string[]): string => [...new Set(types)].join(' | ');

/** The TypeScript type of a schema. */
export function typeOf(schema: Schema): string {
  const unknownWord = Object.keys(schema).find((word) => !WITHOUT_TYPE.test(word) && !WITH_TYPE.test(word));
  if (unknownWord !== undefined) throw new Error(`expected keywords that are known here, received ${unknownWord}`);
  if (schema.$ref !== undefined) {
    return `components['schemas'][${JSON.stringify(schema.$ref.split('/').at(-1))}]`.replaceAll('"', "'");
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return unionOf(schema.enum.map((value) => JSON.stringify(value)));
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) {
    // Alternatives that only say which members must be there together add nothing to the type beside them.
    const typed = alternatives.filter((one) =>
      Object.keys(one).some((word) => WITH_TYPE.test(word) && word !== 'required'),
    );
    if (typed.length > 0) return shaped(unionOf(typed.map(typeOf)));
  }
  if (schema.allOf) return schema.allOf.map((one) => `(${typeOf(one)})`).join(' & ');
  const types = [schema.type ?? (schema.properties ? 'object' : undefined)].flat();
  return unionOf(types.map((type) => (type === undefined ? 'unknown' : simpleTypeOf(type, schema))));
}

function contentOf(content: Content): string {
  const lines = Object.entries(content).map(
    ([type, { schema }]) => `${JSON.stringify(type)}: ${schema ? typeOf(schema) : 'unknown'};`,
  );
  return `{\n${lines.join('\n')}\n}`;
}

/** A parameter with a default may be left out, whatever the document says. */
const isRequired = (one: Parameter): boolean => one.required === true && one.schema?.default === undefined;

function parametersOf(parameters: readonly Parameter[]): string {
  const lines = PLACES.map((place) => {
    const named = parameters.filter((one) => one.in === place);
    if (named.length === 0) return `${place}?: never;`;
    const members = named.map(
      (one) =>
        `${noteOf(one.description, undefined)}${keyOf(one.name)}${isRequired(one) ? '' : '?'}: ${typeOf(one.schema ?? {})};`,
    );
    const optional = !named.some(isRequired) ? '?' : '';
    return `${place}${optional}: { ${members.join('\n')}\n};`;
  });
  return shaped(`{\n${lines.join('\n')}\n}`);
}

function answersOf(responses: Operation['responses']): string {
  const lines = Object.entries(responses).map(([status, { content }]) => {
    const body = content ? `content: ${contentOf(content)};` : 'content?: never;';
    return `${/^\d+$/.test(status) ? status : JSON.stringify(status)}: ${shaped(`{ headers: { [name: string]: unknown }; ${body} }`)};`;
  });
  return `{\n${lines.join('\n')}\n}`;
}

function operationOf(operation: Operation): string {
  const { requestBody: body } = operation;
  const lines = [
    `parameters: ${parametersOf(operation.parameters ?? [])};`,
    body
      ? `requestBody${body.required === true ? '' : '?'}: { content: ${contentOf(body.content)}; };`
      : 'requestBody?: never;',
    `responses: ${answersOf(operation.responses)};`,
  ];
  return `{\n${lines.join('\n')}\n}`;
}

const MIN_NAMED_LENGTH = 100;

/** Gives a name to every object type that is written more than once, and writes it once. */
function withNames(whole: string): string {
  let text = whole;
  const names: string[] = [];
  // The longest first: what they hold may be written more than once as well, within their own definition too.
  for (const shape of [...shapes].sort((a, b) => b.length - a.length || (a < b ? -1 : 1))) {
    if (shape.length < MIN_NAMED_LENGTH || text.split(shape, 3).length < 3) continue;
    const name = `Shape${names.length + 1}`;
    names.push(name);
    text = `${text.replaceAll(shape, name)}\n\ntype ${name} = ${shape};`;
  }
  return text;
}

/** The whole file of types. */
export function typesOf(document: OpenApiDocument): string {
  const paths = Object.entries(document.paths).map(([path, operations]) => {
    const methods = METHODS.map((method) => {
      const operation = operations[method];
      if (!operation) return `${method}?: never;`;
      return `${noteOf(operation.summary, undefined)}${method}: ${operationOf(operation)};`;
    });
    const lines = [`parameters: { query?: never; header?: never; path?: never; cookie?: never };`, ...methods];
    return `${JSON.stringify(path)}: { ${lines.join('\n')}\n};`;
  });
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) => `${noteOf(schema.description, undefined)}${keyOf(name)}: ${typeOf(schema)};`,
  );
  const whole = [
    '// Generated from the OpenAPI document of the service by `npm run web:client`. Do not edit.',
    `export type paths = { ${paths.join('\n')}\n};`,
    `export type components = { schemas: { ${schemas.join('\n')}\n} };`,
  ].join('\n\n');
  return `${withNames(whole)}\n`;
}
