import { useSignal } from '@preact/signals';
import type { TargetedSubmitEvent, VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { callDesk } from './call-platform.ts';
import { signIn } from './session.ts';
import { Button, ButtonLink, TextField } from './ui/index.ts';

const TITLE = 'Sign in – Natter';

/** What `?sign_in=` of the address says about a sign-in elsewhere. */
const REFUSALS: Readonly<Record<string, string>> = {
  failed:
    'The sign-in did not work out. Try again, or use your password. If it goes on, ask an admin: the log of the platform has the reason.',
  not_verified:
    'Your e-mail address there is not verified, so it opens nothing here. Ask those who manage your company accounts.',
  unknown_person: 'There is no person with your e-mail address here. Ask an admin to invite you.',
};

/** Why a sign-in elsewhere has led back here. */
function readRefusal(): string | null {
  return REFUSALS[new URLSearchParams(location.search).get('sign_in') ?? ''] ?? null;
}

/** An address that is loaded again or shared says nothing of an earlier sign-in. */
function forgetRefusal(): void {
  const url = new URL(location.href);
  url.searchParams.delete('sign_in');
  if (url.href !== location.href) history.replaceState(history.state, '', url);
}

/** Asks for e-mail address and password. */
export function SignIn(): VNode {
  const refusal = useSignal<string | null>(readRefusal());
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
      await signIn(String(fields.get('email')), String(fields.get('password')));
    } catch (error) {
      refusal.value = error instanceof Error ? error.message : String(error);
    }
    isBusy.value = false;
  };
  return (
    <main class="door">
      <form onSubmit={(event) => void onSubmit(event)}>
        <h1>Sign in to the console</h1>
        <TextField label="E-mail address" name="email" type="email" autocomplete="username" required />
        <TextField
          label="Password"
          name="password"
          type="password"
          autocomplete="current-password"
          required
        />
        {refusal.value !== null && <p role="alert">{refusal.value}</p>}
        <Button type="submit" kind="main" isBusy={isBusy.value}>
          Sign in
        </Button>
        {provider.value !== null && (
          <ButtonLink href="/desk/api/oidc/start">Sign in with {provider.value}</ButtonLink>
        )}
      </form>
    </main>
  );
}
