import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { isCidr } from '../../auth/index.ts';
import { AppError, type FieldError, invalidField } from '../../base/index.ts';

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})$/;

function isDate(text: string): boolean {
  const found = DATE.exec(text);
  if (!found) return false;
  const time = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().slice(0, 10) === text;
}

function createAjv(): Ajv {
  const ajv = new Ajv({
    // Unknown fields are refused, not dropped; nothing is coerced; every fault is reported, not the first.
    removeAdditional: false,
    coerceTypes: false,
    useDefaults: true,
    allErrors: true,
    strict: false,
    verbose: true,
    formats: {
      date: isDate,
      'date-time': (text: string) =>
        DATE_TIME.test(text) && isDate(text.slice(0, 10)) && !Number.isNaN(Date.parse(text)),
      cidr: isCidr,
    },
  });
  ajv.addKeyword('expected');
  return ajv;
}

/** Query strings and paths are text, so decimal integers in them are read, and nothing else (`1e3` and `0x10` are no IDs). */
function readIntegers(schema: TSchema, data: unknown): void {
  const { properties = {} } = schema as { properties?: Readonly<Record<string, { readonly type?: unknown }>> };
  // Fastify parses the query string and the path into plain objects.
  const values = data as Record<string, unknown>;
  for (const [name, { type }] of Object.entries(properties)) {
    const given = values[name];
    if (type === 'integer' && typeof given === 'string' && /^-?\d{1,20}$/.test(given)) values[name] = Number(given);
  }
}

/** Query strings, paths and headers are text, so numbers in them are read; JSON bodies are taken as they are. */
export function createValidatorCompiler(shared: readonly TSchema[]): FastifySchemaCompiler<unknown> {
  const ajv = createAjv();
  for (const schema of shared) ajv.addSchema(schema);
  return ({ schema: given, httpPart }) => {
    // Fastify hands over the JSON schema of the route as unknown.
    const schema = given as TSchema;
    // Compiled by the first request that needs it: all schemas at once would take a fifth of a second of every start.
    let validate: ValidateFunction | undefined;
    const isText = httpPart !== 'body';
    return (data: unknown) => {
      if (isText) readIntegers(schema, data);
      else if (isDeeperThan(data, MAX_LEVELS)) return { error: tooDeep() };
      validate ??= ajv.compile(schema);
      if (!validate(data)) return { error: new SchemaFault(validate.errors ?? [], httpPart ?? 'body') };
      const fault = findUnstorableText(data, '');
      return fault === undefined ? { value: data } : { error: unstorableText(isText ? fault.slice(1) : fault) };
    };
  };
}

/** Far beyond every schema of ours; checks that call themselves would overflow the stack at about 10,000. */
const MAX_LEVELS = 100;

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeperThan(member, levels - 1));
}

const tooDeep = () => invalidField('', `expected objects and lists at most ${MAX_LEVELS} levels deep`);

const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * PostgreSQL stores every text but those with a NUL (https://www.postgresql.org/docs/current/datatype-character.html) and
 * half a surrogate pair, which no UTF-8 has. Answers the JSON pointer of the first one.
 */
function findUnstorableText(value: unknown, pointer: string): string | undefined {
  if (typeof value === 'string') return value.includes('\0') || LONE_SURROGATE.test(value) ? pointer : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const at = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const fault = findUnstorableText(name, at) ?? findUnstorableText(member, at);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

const unstorableText = (pointer: string) =>
  invalidField(pointer, 'expected text without NUL characters and lone surrogates');

/** What a validator hands to the error handler: ajv's errors and the part of the request they are in. */
export class SchemaFault extends Error {
  readonly faults: readonly ErrorObject[];
  readonly part: string;
  constructor(faults: readonly ErrorObject[], part: string) {
    super('schema');
    this.faults = faults;
    this.part = part;
  }
}

function received(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object') return Object.keys(value).length === 0 ? 'an empty object' : 'an object';
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

const ARTICLES: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
};

type Expectation = (params: Readonly<Record<string, unknown>>) => string;
const limit =
  (unit: string): Expectation =>
  (params) =>
    `${unit} of at ${params['comparison'] === '<=' ? 'most' : 'least'} ${String(params['limit'])}`;
const EXPECTATIONS: Readonly<Record<string, Expectation>> = {
  type: ({ type }) =>
    (Array.isArray(type) ? type : [type]).map((one) => ARTICLES[String(one)] ?? String(one)).join(' or '),
  enum: ({ allowedValues }) => `one of ${(allowedValues as unknown[]).join(', ')}`,
  const: ({ allowedValue }) => String(allowedValue),
  minimum: limit('a number'),
  maximum: limit('a number'),
  minLength: ({ limit: n }) => `at least ${String(n)} character${n === 1 ? '' : 's'}`,
  maxLength: ({ limit: n }) => `at most ${String(n)} characters`,
  minItems: ({ limit: n }) => `at least ${String(n)} item${n === 1 ? '' : 's'}`,
  maxItems: ({ limit: n }) => `at most ${String(n)} items`,
  minProperties: ({ limit: n }) => `at least ${String(n)} member${n === 1 ? '' : 's'}`,
  maxProperties: ({ limit: n }) => `at most ${String(n)} members`,
  uniqueItems: () => 'no item twice',
  pattern: ({ pattern }) => (pattern === '\\S' ? 'text that is not blank' : `text of the form ${String(pattern)}`),
  format: ({ format }) =>
    ({
      'date-time': 'an RFC 3339 time such as 2026-03-14T19:30:00Z',
      date: 'a date such as 2026-03-14',
      cidr: 'a network such as 10.0.0.0/8',
    })[String(format)] ?? String(format),
};

/** What alternatives of an anyOf accept, as one phrase: their constants, or the sentence the schema carries. */
function expectedOfUnion(fault: ErrorObject): string {
  const schema = fault.parentSchema as
    | { expected?: string; anyOf?: { const?: string | number | boolean | null; type?: string }[] }
    | undefined;
  if (schema?.expected) return schema.expected;
  const parts = (schema?.anyOf ?? []).map((one) =>
    one.const === undefined ? (ARTICLES[one.type ?? ''] ?? 'another form') : String(one.const),
  );
  return parts.length > 1 ? `one of ${parts.join(', ')}` : (parts[0] ?? 'another value');
}

/** Parameters of ajv's errors that name a member of the object which the fault is in. */
const MEMBER_PARAMS: Readonly<Record<string, string>> = {
  required: 'missingProperty',
  additionalProperties: 'additionalProperty',
  propertyNames: 'propertyName',
};

function pointerOf(fault: ErrorObject, part: string): string {
  const path = part === 'body' ? fault.instancePath : fault.instancePath.slice(1);
  const param = MEMBER_PARAMS[fault.keyword];
  // A fault of a name itself (inside propertyNames) carries the name.
  const member = param === undefined ? fault.propertyName : String(fault.params[param]);
  if (member === undefined) return path;
  const escaped = member.replaceAll('~', '~0').replaceAll('/', '~1');
  return part === 'body' ? `${path}/${escaped}` : path === '' ? escaped : `${path}/${escaped}`;
}

function describe(fault: ErrorObject, part: string): FieldError {
  const pointer = pointerOf(fault, part);
  if (fault.keyword === 'required') return { pointer, code: 'required', detail: 'expected a value, received nothing' };
  if (fault.keyword === 'additionalProperties') {
    const known = Object.keys((fault.parentSchema as { properties?: object } | undefined)?.properties ?? {});
    const listed = known.length === 0 ? 'no members' : `only ${known.slice(0, 60).join(', ')}`;
    return { pointer, code: 'unknown_field', detail: `expected ${listed}` };
  }
  const own = (fault.parentSchema as { expected?: string } | undefined)?.expected;
  const expected =
    fault.keyword === 'anyOf'
      ? expectedOfUnion(fault)
      : fault.keyword === 'pattern' && own !== undefined
        ? own
        : EXPECTATIONS[fault.keyword]?.(fault.params);
  return {
    pointer,
    code: 'invalid',
    detail: `expected ${expected ?? fault.message ?? 'another value'}, received ${received(fault.data)}`,
  };
}

/**
 * Faults for people: of an anyOf only the fault of the whole is kept, unless the value is an object or list in which the
 * fault lies deeper (then the deeper one says more).
 */
function readable(faults: readonly ErrorObject[], part: string): FieldError[] {
  const unions = faults.filter((fault) => fault.keyword === 'anyOf');
  const kept = faults.filter((fault) => {
    // The fault of the name itself says what is wrong with it.
    if (fault.keyword === 'propertyNames') return false;
    const union = unions.find((one) => one !== fault && fault.schemaPath.startsWith(`${one.schemaPath}/`));
    if (union) return deeper(fault, union);
    return (
      fault.keyword !== 'anyOf' ||
      !faults.some((other) => other.schemaPath.startsWith(`${fault.schemaPath}/`) && deeper(other, fault))
    );
  });
  const seen = new Set<string>();
  return (kept.length > 0 ? kept : faults)
    .map((fault) => describe(fault, part))
    .filter((error) => !seen.has(error.pointer + error.code) && seen.add(error.pointer + error.code));
}

function deeper(fault: ErrorObject, union: ErrorObject): boolean {
  if (fault.instancePath.length > union.instancePath.length) return true;
  const namesMember = fault.keyword === 'additionalProperties' || fault.keyword === 'required';
  return namesMember && typeof union.data === 'object' && union.data !== null && !Array.isArray(union.data);
}

/** A `validation_failed` error that names every fault; parameters are named as they are, body fields by JSON pointer. */
export function validationError(fault: SchemaFault): AppError {
  const errors = readable(fault.faults, fault.part).slice(0, 50);
  return new AppError(
    'validation_failed',
    errors.map((error) => `${error.pointer || fault.part}: ${error.detail}`).join('; '),
    { errors },
  );
}

/** Validates something that is no request part of its own, such as the metadata part of an upload. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- T is the static type of the schema; the caller names it once
export function createPartValidator<T>(
  schema: TSchema,
  shared: readonly TSchema[] = [],
): (value: unknown, pointer: string) => T {
  const ajv = createAjv();
  for (const one of shared) ajv.addSchema(one);
  let validate: ValidateFunction | undefined;
  return (value, pointer) => {
    if (isDeeperThan(value, MAX_LEVELS)) throw tooDeep();
    validate ??= ajv.compile(schema);
    if (validate(value)) {
      const fault = findUnstorableText(value, '');
      if (fault !== undefined) throw unstorableText(pointer + fault);
      // Valid against the schema that T is the static type of.
      return value as T;
    }
    const error = validationError(new SchemaFault(validate.errors ?? [], 'body'));
    throw new AppError('validation_failed', error.message, {
      errors: error.errors.map((one) => ({ ...one, pointer: pointer + one.pointer })),
    });
  };
}

export function isSchemaFault(error: unknown): error is SchemaFault {
  return error instanceof SchemaFault;
}
