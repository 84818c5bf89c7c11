//! The functions that JavaScript can call.

use wasm_bindgen::prelude::wasm_bindgen;

/// Answers a request.
#[wasm_bindgen(js_name = answerRequest)]
#[allow(unreachable_pub, reason = "JavaScript reaches it")]
pub fn answer_request(request: &str) -> String {
    crate::answer_request(request)
}
