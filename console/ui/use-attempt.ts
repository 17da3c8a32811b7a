import { useState } from 'preact/hooks';

interface Attempt<Result> {
  readonly isBusy: boolean;
  readonly result: Result | null;
  readonly problem: string | null;
}

/** An attempt from a form: whether it is running, its result, and its error. */
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
