import { expect, test } from 'vitest';
import { createS3Signer, encodePart, queryOf } from './s3-signature.ts';

// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html, "Example: PUT Object"
const credentials = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};
const sign = createS3Signer({ credentials, region: 'us-east-1', service: 's3' });
const example = {
  method: 'PUT',
  host: 'examplebucket.s3.amazonaws.com',
  path: `/${encodePart('test$file.text')}`,
  query: {},
  headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
  bodySha256: '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
  at: new Date('2013-05-24T00:00:00Z'),
};

test('signs the example of the specification as it says', () => {
  expect(sign(example)['authorization']).toBe(
    'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, SignedHeaders=date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class, Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  );
});

test('has another key on the next day, and the same again on the first', () => {
  const nextDay = sign({ ...example, at: new Date('2013-05-25T00:00:00Z') });
  expect(nextDay['authorization']).toContain('/20130525/');
  expect(sign(example)['authorization']).toMatch(/Signature=98ad7217/);
});

test('signs the token of a session', () => {
  const signed = createS3Signer({
    credentials: { ...credentials, sessionToken: 'the-token' },
    region: 'us-east-1',
    service: 's3',
  })(example);
  expect(signed['x-amz-security-token']).toBe('the-token');
  expect(signed['authorization']).toContain(';x-amz-security-token;');
});

test('encodes all but what the specification leaves, and orders a query by its names', () => {
  expect(encodePart("a b/c!'()*~-_.ü")).toBe('a%20b%2Fc%21%27%28%29%2A~-_.%C3%BC');
  expect(queryOf({ uploadId: '2~x/y=', partNumber: '3' })).toBe('partNumber=3&uploadId=2~x%2Fy%3D');
});
