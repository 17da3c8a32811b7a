import { useSignal } from '@preact/signals';
import type { TargetedSubmitEvent, VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { signIn } from './session.ts';
import { Button, TextField } from './ui/index.ts';

const TITLE = 'Sign in – Natter';

/** Asks for e-mail address and password. */
export function SignIn(): VNode {
  const refusal = useSignal<string | null>(null);
  const isBusy = useSignal(false);
  useEffect(() => {
    document.title = TITLE;
  }, []);
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
      </form>
    </main>
  );
}
