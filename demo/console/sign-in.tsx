import { useSignal } from '@preact/signals';
import type { TargetedSubmitEvent, VNode } from 'preact';
import { signIn } from './desk-model.ts';

/** Asks for e-mail address and password. */
export function SignIn(): VNode {
  const refusal = useSignal<string | null>(null);
  const isBusy = useSignal(false);
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
        <h1>Sign in to the desk</h1>
        <label>
          E-mail address
          <input name="email" type="email" autocomplete="username" required />
        </label>
        <label>
          Password
          <input name="password" type="password" autocomplete="current-password" required />
        </label>
        {refusal.value !== null && <p role="alert">{refusal.value}</p>}
        <button type="submit" class="main" disabled={isBusy.value}>
          Sign in
        </button>
      </form>
    </main>
  );
}
