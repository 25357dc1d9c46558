/**
 * A bucket lies in one region, and the stores of others say where. Nobody follows them there: a signed request, and the bytes of a file, go
 * nowhere but to what the destination names. The one who made it is told what to set.
 */
import { ChannelError } from '../../channel.ts';

/** What an answer says of where the bucket is. */
export type Told = { readonly region: string | undefined; readonly endpoint: string | undefined };

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 307, 308]);
/** AWS sends requests on so while the names of a bucket that was just made are not known everywhere. */
const FOR_NOW: ReadonlySet<number> = new Set([302, 307]);
const NAMES: ReadonlySet<string> = new Set([
  'AuthorizationHeaderMalformed',
  'IllegalLocationConstraintException',
  'PermanentRedirect',
  'TemporaryRedirect',
]);
/** These are shown: no other text of a store is. */
const REGION = /^[\w-]{1,64}$/;
const ENDPOINT = /^[\w.-]{1,255}(:\d{1,5})?$/;

const shown = (text: unknown, form: RegExp): string | undefined =>
  typeof text === 'string' && form.test(text) ? text : undefined;

/** From an answer itself. */
export function toldBy(headers: Readonly<Record<string, unknown>>, text: string): Told {
  const element = (name: string): string | undefined =>
    new RegExp(`<${name}>\\s*([^<\\s]+)\\s*</${name}>`).exec(text)?.[1];
  return {
    region: shown(headers['x-amz-bucket-region'] ?? element('Region'), REGION),
    endpoint: shown(element('Endpoint'), ENDPOINT),
  };
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && name in value ? Reflect.get(value, name) : undefined;

/** From an error that was made of it: ours has what was told, that of the client library the members of the XML and the headers. */
function toldIn(error: Error): Told {
  const header = memberOf(memberOf(memberOf(error, '$response'), 'headers'), 'x-amz-bucket-region');
  return {
    region: shown(header ?? memberOf(error, 'Region') ?? memberOf(error, 'region'), REGION),
    endpoint: shown(memberOf(error, 'Endpoint') ?? memberOf(error, 'endpoint'), ENDPOINT),
  };
}

/** The fault of a bucket that is not where the destination says; undefined for other errors. */
export function elsewhereFault(
  error: Error,
  { status, region }: { readonly status: number; readonly region: string },
): ChannelError | undefined {
  const told = toldIn(error);
  const isOther = told.region !== undefined && told.region !== region;
  // The answer to HEAD has no body that could name the fault.
  if (!REDIRECTS.has(status) && !NAMES.has(error.name) && !(status === 400 && isOther)) return undefined;
  if (isOther) {
    const text = `expected a bucket in the region ${region} (config.region), the S3 store says that it is in ${told.region}`;
    return new ChannelError('refused', text, { cause: error });
  }
  if (!REDIRECTS.has(status)) return undefined;
  const place = told.endpoint === undefined ? 'somewhere else' : `at ${told.endpoint}`;
  const text = `expected the bucket at the S3 store (config.endpoint, config.region), it says that it is ${place} (status ${status})`;
  return new ChannelError(FOR_NOW.has(status) ? 'busy' : 'refused', text, { cause: error });
}
