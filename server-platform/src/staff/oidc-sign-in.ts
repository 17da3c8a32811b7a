import * as client from 'openid-client';
import * as v from 'valibot';

/** Sign-in with a company's OpenID provider. */
export interface OidcConfig {
  /** Such as `https://login.example.com`; its `/.well-known/openid-configuration` has the rest. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** This platform's `/desk/api/oidc/callback`, as registered with the provider. */
  readonly redirectUri: string;
  /** The provider's name on the sign-in page. */
  readonly name: string;
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);
const isSafe = (url: string): boolean => {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname));
};
const text = v.pipe(v.string('must be a text, in quotes'), v.trim(), v.nonEmpty('must not be empty'));
const address = v.pipe(text, v.check(isSafe, 'must be an https address, or http on this machine'));

/** The schema of `oidc` of the configuration file. */
export const oidcSchema: v.GenericSchema<unknown, OidcConfig> = v.strictObject({
  issuer: address,
  clientId: text,
  clientSecret: text,
  redirectUri: v.pipe(
    address,
    v.check(
      (url) => new URL(url).pathname.endsWith('/desk/api/oidc/callback'),
      'must end in /desk/api/oidc/callback',
    ),
  ),
  name: v.optional(text, 'your company account'),
});

/** State that a browser keeps during a sign-in. */
export interface OidcTransaction {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Outcome of a sign-in at the provider. */
export type OidcOutcome =
  | { readonly status: 'verified'; readonly email: string }
  /** The provider does not vouch for the person's email address. */
  | { readonly status: 'not_verified' };

/** Signs people in at an OpenID provider: authorization code with PKCE, state and nonce. */
export interface OidcSignIn {
  readonly name: string;
  /** Resolves with the provider's address to send the browser to. Rejects when the provider cannot be reached. */
  start(): Promise<{ readonly url: URL; readonly transaction: OidcTransaction }>;
  /** Validates the query that the provider returned. Rejects when it is refused or does not match. */
  finish(query: URLSearchParams, transaction: OidcTransaction): Promise<OidcOutcome>;
}

const TIMEOUT_SECONDS = 10;

/** Makes the sign-in; the provider is looked up with the first use. */
export function createOidcSignIn(config: OidcConfig): OidcSignIn {
  const { issuer, clientId, clientSecret, redirectUri, name } = config;
  let discovered: Promise<client.Configuration> | null = null;
  const discover = (): Promise<client.Configuration> => {
    discovered ??= client
      .discovery(new URL(issuer), clientId, clientSecret, undefined, {
        timeout: TIMEOUT_SECONDS,
        execute: [
          // Without this, the signature of an ID token from the token endpoint would not be checked.
          client.enableNonRepudiationChecks,
          ...(new URL(issuer).protocol === 'http:' ? [client.allowInsecureRequests] : []),
        ],
      })
      .catch((error: unknown) => {
        discovered = null;
        throw describe(error);
      });
    return discovered;
  };
  return {
    name,
    async start() {
      const provider = await discover();
      const transaction = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      };
      const url = client.buildAuthorizationUrl(provider, {
        ...{ redirect_uri: redirectUri, scope: 'openid email', code_challenge_method: 'S256' },
        ...{ state: transaction.state, nonce: transaction.nonce },
        code_challenge: await client.calculatePKCECodeChallenge(transaction.verifier),
      });
      return { url, transaction };
    },
    async finish(query, { state, nonce, verifier }) {
      const provider = await discover();
      const back = new URL(redirectUri);
      back.search = query.toString();
      try {
        const tokens = await client.authorizationCodeGrant(provider, back, {
          ...{ pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce },
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims?.['email'] !== undefined) return readEmail(claims);
        const subject = claims?.sub ?? client.skipSubjectCheck;
        return readEmail(await client.fetchUserInfo(provider, tokens.access_token, subject));
      } catch (error) {
        throw describe(error);
      }
    },
  };
}

function readEmail(claims: Readonly<Record<string, unknown>>): OidcOutcome {
  const { email, email_verified: isVerified } = claims;
  return typeof email === 'string' && isVerified === true
    ? { status: 'verified', email }
    : { status: 'not_verified' };
}

/** The error without its details, because responses with tokens must not reach a log. */
function describe(error: unknown): Error {
  if (!(error instanceof Error)) return new Error('The OpenID provider failed.');
  const code = Reflect.get(error, 'error') ?? Reflect.get(error, 'code');
  return new Error([code, error.message].filter((part) => typeof part === 'string').join(': '));
}
