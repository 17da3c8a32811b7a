import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

/** An OpenID provider on this machine. */
export interface OidcServer {
  readonly issuer: string;
  readonly client: { readonly clientId: string; readonly clientSecret: string };
  /** Changes each ID token before it is sent; tests set it. */
  forge: (idToken: string) => string | Promise<string>;
  /** Follows an authorization address as a browser does in which a person is signed in; resolves with the way back. */
  visit(authorization: URL, email: string, isVerified?: boolean): Promise<URL>;
  close(): Promise<void>;
}

/** Starts a provider that knows every email address, for one client. */
export async function startOidcServer(redirectUri: string): Promise<OidcServer> {
  const client = { clientId: 'natter', clientSecret: 'a secret of the tests only' };
  const accounts = new Map<string, boolean>();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [redirectUri],
      },
    ],
    pkce: { required: () => true },
    cookies: { keys: ['of the tests only'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, accountId) => ({
      accountId,
      claims: () => ({ sub: accountId, email: accountId, email_verified: accounts.get(accountId) === true }),
    }),
    // People have agreed already.
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId ?? '',
        accountId: oidc.session?.accountId ?? '',
      });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
  });
  const handle = provider.callback();
  let visitor = '';
  server.on('request', (request, response) => {
    if (request.url === '/token') rewriteIdToken(response, (idToken) => oidcServer.forge(idToken));
    if (request.url?.startsWith('/interaction/') !== true) return void handle(request, response);
    provider
      .interactionFinished(request, response, { login: { accountId: visitor } })
      .catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  const oidcServer: OidcServer = {
    issuer,
    client,
    forge: (idToken) => idToken,
    async visit(authorization, email, isVerified = true) {
      accounts.set(email, isVerified);
      visitor = email;
      const cookies = new Map<string, string>();
      let url = authorization;
      while (url.origin === issuer) {
        const Cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const answer = await fetch(url, { redirect: 'manual', headers: { Cookie } });
        for (const set of answer.headers.getSetCookie()) {
          const [name = '', value = ''] = (set.split(';')[0] ?? '').split('=');
          cookies.set(name, value);
        }
        const to = answer.headers.get('location');
        if (to === null) throw new Error(`The provider answered ${answer.status}: ${await answer.text()}`);
        url = new URL(to, url);
      }
      return url;
    },
    close: () =>
      new Promise((resolve, reject) => server.close((error) => (error ? reject(error) : resolve()))),
  };
  return oidcServer;
}

/** Replaces the ID token of a token response. */
function rewriteIdToken(response: ServerResponse, forge: OidcServer['forge']): void {
  const end = response.end.bind(response);
  const write = async (body: string): Promise<void> => {
    const tokens = JSON.parse(body) as { readonly id_token?: string };
    if (tokens.id_token !== undefined) Object.assign(tokens, { id_token: await forge(tokens.id_token) });
    response.removeHeader('content-length');
    end(JSON.stringify(tokens));
  };
  response.end = ((body: unknown) => {
    void write(String(body));
    return response;
  }) as ServerResponse['end'];
}
