import { NatterChat } from 'natter/react';

/** A page of the server that needs nothing but the chat, in its place in the page. */
export default async function Page({ searchParams }) {
  const { endpoint = 'http://127.0.0.1:8787' } = await searchParams;
  return (
    <main>
      <h1>Natter in a Next.js app</h1>
      <NatterChat endpoint={endpoint} renderMode="inline" />
    </main>
  );
}
