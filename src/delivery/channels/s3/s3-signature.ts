import { createHmac, hash } from 'node:crypto';

export type S3Credentials = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
};

/** Stands for the hash of a body that only TLS, or its signed MD5, protects. */
export const UNSIGNED_BODY = 'UNSIGNED-PAYLOAD';

export type SignableRequest = {
  readonly method: string;
  readonly host: string;
  /** As it is sent: encoded once. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** By lower-case names; each is signed. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body's SHA-256 in hex, or `UNSIGNED_BODY`. */
  readonly bodySha256: string;
  readonly at: Date;
};

/** Answers all headers of the request, with its signature. */
export type S3Signer = (request: SignableRequest) => Readonly<Record<string, string>>;

/** AWS Signature Version 4 in the `Authorization` header: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
export function createS3Signer(options: {
  readonly credentials: S3Credentials;
  readonly region: string;
  readonly service: string;
}): S3Signer {
  const { credentials, region, service } = options;
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  let key: { readonly day: string; readonly bytes: Buffer } | undefined;
  const keyOf = (day: string): Buffer => {
    if (key?.day !== day) {
      const steps = [day, region, service, 'aws4_request'];
      const start: Buffer = Buffer.from(`AWS4${secretAccessKey}`);
      key = { day, bytes: steps.reduce((bytes, step) => createHmac('sha256', bytes).update(step).digest(), start) };
    }
    return key.bytes;
  };
  return ({ method, host, path, query, headers, bodySha256, at }) => {
    const time = at.toISOString().replaceAll(/[-:]|\.\d+/g, '');
    const day = time.slice(0, 8);
    const signed: Record<string, string> = {
      ...headers,
      host,
      'x-amz-content-sha256': bodySha256,
      'x-amz-date': time,
      ...(sessionToken !== undefined && { 'x-amz-security-token': sessionToken }),
    };
    const names = Object.keys(signed).toSorted();
    const lines = names.map((name) => `${name}:${signed[name]?.trim().replaceAll(/ +/g, ' ')}`);
    const canonical = [method, path, queryOf(query), ...lines, '', names.join(';'), bodySha256].join('\n');
    const scope = `${day}/${region}/${service}/aws4_request`;
    const text = ['AWS4-HMAC-SHA256', time, scope, hash('sha256', canonical)].join('\n');
    const signature = createHmac('sha256', keyOf(day)).update(text).digest('hex');
    const parts = [`Credential=${accessKeyId}/${scope}`, `SignedHeaders=${names.join(';')}`, `Signature=${signature}`];
    return { ...signed, authorization: `AWS4-HMAC-SHA256 ${parts.join(', ')}` };
  };
}

/** Encodes what `encodeURIComponent` leaves and signatures do not. */
export function encodePart(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** In the order of names that signatures need. */
export function queryOf(query: Readonly<Record<string, string>>): string {
  const names = Object.keys(query).toSorted();
  return names.map((name) => `${encodePart(name)}=${encodePart(query[name] ?? '')}`).join('&');
}
