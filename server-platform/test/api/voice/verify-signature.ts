import { createHash, createHmac } from 'node:crypto';
import type { HeardRequest } from './listen.ts';

const ACCESS_KEY = 'test-access-key';

/** Credentials that the test's object storage accepts. */
export const CREDENTIALS: Readonly<Record<'accessKeyId' | 'secretAccessKey' | 'region', string>> = {
  accessKeyId: ACCESS_KEY,
  secretAccessKey: 'a secret of the tests',
  region: 'eu-west-1',
};

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, data: string): Buffer => createHmac('sha256', key).update(data).digest();
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * The fault of a request's signature, or null: AWS Signature Version 4 by its published description, for
 * signatures in the header and in the query, with the time `nowMs`.
 */
export function verifySignature({ request, body }: HeardRequest, nowMs: number): string | null {
  const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
  const query = url.searchParams;
  const isPresigned = query.has('X-Amz-Signature');
  const fields = isPresigned
    ? {
        credential: query.get('X-Amz-Credential') ?? '',
        signed: query.get('X-Amz-SignedHeaders') ?? '',
        signature: query.get('X-Amz-Signature') ?? '',
        date: query.get('X-Amz-Date') ?? '',
      }
    : readHeader(request.headers.authorization ?? '', String(request.headers['x-amz-date']));
  const [key = '', ...scope] = fields.credential.split('/');
  const [day = ''] = scope;
  if (key !== ACCESS_KEY) return 'unknown access key';
  if (scope.join('/') !== `${fields.date.slice(0, 8)}/${CREDENTIALS.region}/s3/aws4_request`)
    return 'wrong scope';
  const signedAtMs = Date.parse(
    fields.date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'),
  );
  const lifetimeMs = isPresigned ? Number(query.get('X-Amz-Expires')) * 1000 : 900_000;
  if (!(nowMs >= signedAtMs - 1000 && nowMs < signedAtMs + lifetimeMs)) return 'expired';
  const headers = fields.signed.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}\n`);
  const pairs = [...query]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort();
  const hash = isPresigned ? 'UNSIGNED-PAYLOAD' : String(request.headers['x-amz-content-sha256']);
  if (!isPresigned && hash !== 'UNSIGNED-PAYLOAD' && hash !== sha256(body)) return 'wrong hash of the body';
  const canonical = [
    request.method,
    url.pathname
      .split('/')
      .map((part) => encode(decodeURIComponent(part)))
      .join('/'),
    pairs.join('&'),
    headers.join(''),
    fields.signed,
    hash,
  ].join('\n');
  const text = ['AWS4-HMAC-SHA256', fields.date, scope.join('/'), sha256(canonical)].join('\n');
  const signingKey = ['s3', 'aws4_request'].reduce(
    (last, part) => hmac(last, part),
    hmac(hmac(`AWS4${CREDENTIALS.secretAccessKey}`, day), CREDENTIALS.region),
  );
  return hmac(signingKey, text).toString('hex') === fields.signature ? null : 'wrong signature';
}

function readHeader(header: string, date: string) {
  const read = (name: string): string => new RegExp(`${name}=([^, ]+)`).exec(header)?.[1] ?? '';
  return {
    credential: read('Credential'),
    signed: read('SignedHeaders'),
    signature: read('Signature'),
    date,
  };
}
