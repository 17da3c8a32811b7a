import { useState } from 'preact/hooks';

interface Attempt<Result> {
  readonly isBusy: boolean;
  readonly result: Result | null;
  readonly problem: string | null;
}

/** Something that is tried from a form: whether it goes on, what came of it, and why it failed. */
export function useAttempt<Result>(): Attempt<Result> & {
  /** Never rejects. */
  readonly attempt: (work: () => Promise<Result>) => Promise<void>;
} {
  const [state, setState] = useState<Attempt<Result>>({ isBusy: false, result: null, problem: null });
  return {
    ...state,
    async attempt(work) {
      setState({ isBusy: true, result: null, problem: null });
      try {
        setState({ isBusy: false, result: await work(), problem: null });
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error);
        setState({ isBusy: false, result: null, problem });
      }
    },
  };
}
