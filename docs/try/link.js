// A format in a link: compressed, behind the `#`, which browsers do not send to a server.

// Maximum number of characters of a format from a link.
const MAX_LENGTH = 100000;

async function throughStream(bytes, stream) {
  const written = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(written).arrayBuffer());
}

// Returns a text as the fragment of a link.
export async function fragmentOf(text) {
  const packed = await throughStream(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  const base64 = btoa(String.fromCharCode(...packed));
  return `#format=${base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

// Returns the text in the fragment of a link, or null if it has none.
export async function textOfFragment(fragment) {
  const found = /^#format=([\w-]+)$/.exec(fragment);
  if (!found) return null;
  try {
    const packed = atob(found[1].replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(packed, (letter) => letter.charCodeAt(0));
    const text = new TextDecoder().decode(await throughStream(bytes, new DecompressionStream("deflate-raw")));
    return text.slice(0, MAX_LENGTH);
  } catch {
    return null;
  }
}
