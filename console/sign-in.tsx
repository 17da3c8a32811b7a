import { useSignal } from '@preact/signals';
import type { TargetedSubmitEvent, VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { CallError, callDesk } from './call-platform.ts';
import { signIn } from './session.ts';
import { Button, ButtonLink, TextField } from './ui/index.ts';

const TITLE = 'Sign in – Natter';

/** Outcome of a sign-in elsewhere, from `?sign_in=` of the address. */
const REFUSALS: Readonly<Record<string, string>> = {
  failed:
    'Sign-in failed. Try again or use your password. If it keeps failing, ask an admin to check the platform log.',
  not_verified: 'Your email address isn’t verified. Ask the team that manages your company accounts.',
  unknown_person: 'No account matches your email address. Ask an admin to invite you.',
  account_needed: 'You belong to several accounts. Choose one below.',
};

/** Why a sign-in elsewhere has led back here. */
function readRefusal(): string | null {
  return REFUSALS[new URLSearchParams(location.search).get('sign_in') ?? ''] ?? null;
}

/** The accounts to choose from after a sign-in elsewhere. */
function readAccounts(): readonly string[] {
  return (new URLSearchParams(location.search).get('accounts') ?? '')
    .split(',')
    .filter((slug) => slug !== '');
}

/** An address that is loaded again or shared says nothing of an earlier sign-in. */
function forgetRefusal(): void {
  const url = new URL(location.href);
  url.searchParams.delete('sign_in');
  url.searchParams.delete('accounts');
  if (url.href !== location.href) history.replaceState(history.state, '', url);
}

/** Asks for email address and password, and for the account of people in several. */
export function SignIn(): VNode {
  const refusal = useSignal<string | null>(readRefusal());
  const accounts = useSignal(readAccounts());
  const asksForAccount = useSignal(false);
  const isBusy = useSignal(false);
  const provider = useSignal<string | null>(null);
  useEffect(() => {
    document.title = TITLE;
    forgetRefusal();
    // Without an answer people sign in with their passwords.
    void callDesk<{ oidc: string | null }>('GET', '/sign-in-options').then(
      ({ oidc }) => (provider.value = oidc),
      () => {},
    );
  }, [provider]);
  const onSubmit = async (event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    isBusy.value = true;
    refusal.value = null;
    try {
      const account = fields.get('account');
      await signIn(
        String(fields.get('email')),
        String(fields.get('password')),
        account === null ? null : String(account),
      );
    } catch (error) {
      asksForAccount.value ||= error instanceof CallError && error.code === 'ACCOUNT_NEEDED';
      refusal.value = error instanceof Error ? error.message : String(error);
    }
    isBusy.value = false;
  };
  return (
    <main class="door">
      <form onSubmit={(event) => void onSubmit(event)}>
        <h1>Sign in to the console</h1>
        <TextField label="Email address" name="email" type="email" autocomplete="username" required />
        <TextField
          label="Password"
          name="password"
          type="password"
          autocomplete="current-password"
          required
        />
        {asksForAccount.value && <TextField label="Account" name="account" required />}
        {refusal.value !== null && <p role="alert">{refusal.value}</p>}
        <Button type="submit" kind="main" isBusy={isBusy.value}>
          Sign in
        </Button>
        {provider.value !== null && accounts.value.length === 0 && (
          <ButtonLink href="/desk/api/oidc/start">Sign in with {provider.value}</ButtonLink>
        )}
        {provider.value !== null &&
          accounts.value.map((slug) => (
            <ButtonLink key={slug} href={`/desk/api/oidc/start?account=${encodeURIComponent(slug)}`}>
              Sign in to {slug}
            </ButtonLink>
          ))}
      </form>
    </main>
  );
}
