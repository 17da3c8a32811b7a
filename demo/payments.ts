/** Reports a payment from the company to its agent. */
export interface PaymentOptions {
  readonly platformUrl: string;
  /** API key for external events. */
  readonly key: string;
}

/** Reports to the conversation waiting for `reference` that it was paid; false when none waits. */
export async function reportPayment(
  { platformUrl, key }: PaymentOptions,
  reference: string,
): Promise<boolean> {
  const query = new URLSearchParams({
    event_id_location: 'payload',
    event_id_path: 'payment.reference',
    account_id: 'kittiwake',
    project_id: 'kittiwake',
  });
  const response = await fetch(`${platformUrl}/v1/external-events/webhook?${query}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Api-Key': key },
    body: JSON.stringify({ payment: { reference, amount: '42.00', currency: 'GBP' } }),
  });
  return response.ok;
}
