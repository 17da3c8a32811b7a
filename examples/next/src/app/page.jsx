import { Help } from './help';

/** A page of the server, with a component of the browser on it that gives commands to the chat. */
export default async function Page({ searchParams }) {
  // Where the token proxy is; a real app has this in its configuration.
  const { endpoint = 'http://127.0.0.1:8787' } = await searchParams;
  return (
    <main>
      <h1>Natter in a Next.js app</h1>
      <Help endpoint={endpoint} />
    </main>
  );
}
