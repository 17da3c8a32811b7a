/** Reads a stream until the text has come, and leaves it. Fails when the stream ends before. */
export async function readUntil(answer: Response, text: string): Promise<Response> {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let read = ''; !read.includes(text); ) {
    const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
    if (done) throw new Error(`The stream ended without ${text}`);
    // The text may be split between two pieces.
    read = read.slice(-text.length) + value;
  }
  await reader?.cancel();
  return new Response(null, { status: answer.status });
}
