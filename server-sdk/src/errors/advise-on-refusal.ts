/** Advice for a refusal whose code alone would be misleading. */
export interface RefusalAdvice {
  readonly advice: string;
  /** Whether the same call may succeed later, if the code suggests otherwise. */
  readonly retryable?: boolean;
}

/** A refusal as reported by the platform. */
export interface Refusal {
  readonly operationId: string;
  readonly status: number;
  /** The text of the answer. */
  readonly text: string;
}

/** Advice for refusals that share a code with others, such as 404 for a pool without a free number; null for all others. */
export function adviseOnRefusal({ operationId, status, text }: Refusal): RefusalAdvice | null {
  // Source: DN-3.
  if (operationId === 'numberReserve' && status === 404) {
    return {
      advice:
        'Every number of the pool is reserved, or there is none: try again when a reservation has run out, or add numbers to the pool.',
      retryable: true,
    };
  }
  if (operationId !== 'externalEventSend' || status !== 400) return null;
  // Source: EE-4.
  if (text.startsWith('External event id not valid')) {
    return {
      advice:
        'Send an id that the agent gave out in the last hour, for this project, in a conversation that has not ended.',
    };
  }
  return text.startsWith('External event id not found')
    ? {
        advice:
          'Check that event_id_location and event_id_path name the place of the event id in the request.',
      }
    : null;
}
