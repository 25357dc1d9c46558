import { describe, expect, test } from 'vitest';
import { createChannels } from '../../src/delivery/index.ts';
import { DESTINATION_KINDS, type KindField, KINDS } from '../../web/src/deliver/destinations/destination-kinds.ts';

const channels = createChannels({ folders: [] });

type Schema = {
  readonly properties: Readonly<Record<string, { readonly anyOf?: readonly { readonly const: string }[] }>>;
  readonly required?: readonly string[];
};

// JSON schemas of objects, as typebox writes them.
const schemaOf = (schema: unknown): Schema => JSON.parse(JSON.stringify(schema)) as Schema;

/** What a form has to agree on with the schema of the service. */
function describeForm(fields: readonly KindField[]) {
  return {
    names: fields.map(({ name }) => name).toSorted(),
    required: fields
      .filter(({ isRequired }) => isRequired === true)
      .map(({ name }) => name)
      .toSorted(),
  };
}
const describeSchema = (schema: Schema) => ({
  names: Object.keys(schema.properties).toSorted(),
  required: [...(schema.required ?? [])].toSorted(),
});

test('the browser UI has a form for every kind of destination', () => {
  expect([...DESTINATION_KINDS].toSorted()).toEqual([...channels.keys()].toSorted());
});

describe.each([...DESTINATION_KINDS])('the form of %s', (kind) => {
  const channel = channels.get(kind);

  test('asks for what the service takes', () => {
    expect(describeForm(KINDS[kind].config)).toEqual(describeSchema(schemaOf(channel?.configSchema)));
    expect(describeForm(KINDS[kind].secrets)).toEqual(describeSchema(schemaOf(channel?.secretsSchema)));
  });
});

test('forms offer the values that the service knows', () => {
  const compared = DESTINATION_KINDS.flatMap((kind) => {
    const { properties } = schemaOf(channels.get(kind)?.configSchema);
    return KINDS[kind].config.flatMap((field) => {
      const known = properties[field.name]?.anyOf?.map((one) => one.const);
      if (!known) return [];
      const offered = field.type === 'choice' ? field.options.map(({ value }) => value) : [];
      expect(offered.filter((value) => value !== '').toSorted()).toEqual(known.toSorted());
      return [`${kind} ${field.name}`];
    });
  });
  expect(compared).toContain('ftp security');
});
