// Answers requests of the page with the library. The page sends the compiled library first, and terminates this worker if
// an answer takes too long.
import { initSync, answerRequest } from "./rebut_web.js";

onmessage = ({ data }) => {
  if (data.library) {
    initSync({ module: data.library });
    return;
  }
  try {
    postMessage({ id: data.id, answer: JSON.parse(answerRequest(JSON.stringify(data.request))) });
  } catch (error) {
    postMessage({ id: data.id, failed: String(error) });
  }
};
