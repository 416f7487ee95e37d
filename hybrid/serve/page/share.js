// The whole input in the fragment of an address: JSON, deflated, in the letters of URLs.
// The fragment is never sent to a server.

const MOST = 1_000_000; // characters, so that no link fills the memory
const FORM = "1."; // of what follows

export async function encode(value) {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  const packed = await through(bytes, new CompressionStream("deflate-raw"), Infinity);
  let text = "";
  for (const byte of packed) text += String.fromCharCode(byte);
  return FORM + btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

// Null: it is not such a fragment.
export async function decode(fragment) {
  if (!fragment.startsWith(FORM)) return null;
  try {
    const text = atob(fragment.slice(FORM.length).replaceAll("-", "+").replaceAll("_", "/"));
    const packed = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    const bytes = await through(packed, new DecompressionStream("deflate-raw"), MOST);
    const value = JSON.parse(new TextDecoder().decode(bytes));
    return value !== null && typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

async function through(bytes, stream, most) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const pieces = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value);
    length += value.length;
    if (length > most) {
      await reader.cancel();
      throw new RangeError("too long");
    }
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}
