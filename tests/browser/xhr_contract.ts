/** The contract that the page of `xhr.ts` calls. */
import { defineContract, request, response, route } from "@scope/api";

const answers = { 200: response.text(), 413: response.problem() };
const echo = { body: request.bytes(), responses: { 200: response.bytes(), 503: response.empty() } };

export const contract = defineContract({
  routes: {
    bytes: route.put("/bytes", { body: request.bytes({ contentType: "image/png" }), responses: answers }),
    form: route.post("/form", { body: request.formData(), responses: answers }),
    stream: route.put("/stream", { body: request.stream({ contentType: "video/mp4" }), responses: answers }),
    echo: route.put("/echo", echo),
    flaky: route.put("/flaky", echo),
    slow: route.put("/slow", { body: request.bytes({ contentType: "video/mp4" }), responses: answers }),
    moved: route.put("/moved", { body: request.text(), responses: answers }),
  },
});

/** As the server reads `slow`: chunk by chunk. */
export const slowContract = defineContract({
  routes: { slow: route.put("/slow", { body: request.stream({ contentType: "video/mp4" }), responses: answers }) },
});
