import { nkeys } from '@nats-io/transport-node';

type KeyPair = ReturnType<typeof nkeys.createUser>;

/** A server's configuration with an operator and one account, and the credentials file of a user of that account. */
export function createNatsCredentials(): { readonly config: string; readonly credentials: string } {
  const [operator, account, user] = [nkeys.createOperator(), nkeys.createAccount(), nkeys.createUser()];
  const unlimited = { subs: -1, data: -1, payload: -1 };
  const operatorJwt = encode(operator, operator, { type: 'operator' });
  const accountJwt = encode(operator, account, {
    type: 'account',
    limits: { ...unlimited, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 },
  });
  const userJwt = encode(account, user, { type: 'user', ...unlimited });
  return {
    config: [
      `operator: "${operatorJwt}"`,
      'resolver: MEMORY',
      `resolver_preload: { ${account.getPublicKey()}: "${accountJwt}" }`,
    ].join('\n'),
    credentials: [
      `-----BEGIN NATS USER JWT-----\n${userJwt}\n------END NATS USER JWT------\n`,
      `-----BEGIN USER NKEY SEED-----\n${seedOf(user)}\n------END USER NKEY SEED------\n`,
    ].join('\n'),
  };
}

/** The seed of a key pair, as written in files. */
export function seedOf(pair: KeyPair): string {
  return new TextDecoder().decode(pair.getSeed());
}

function encode(issuer: KeyPair, subject: KeyPair, nats: object): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = {
    jti: subject.getPublicKey(),
    iat: Math.floor(Date.now() / 1000),
    iss: issuer.getPublicKey(),
    sub: subject.getPublicKey(),
    name: 'test',
    nats: { ...nats, version: 2 },
  };
  const signed = `${part({ typ: 'JWT', alg: 'ed25519-nkey' })}.${part(claims)}`;
  return `${signed}.${Buffer.from(issuer.sign(new TextEncoder().encode(signed))).toString('base64url')}`;
}
