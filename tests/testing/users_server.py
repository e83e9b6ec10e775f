"""The API of examples/users by Python's standard library, as one would write it in an hour. It prints its port."""

import json
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

users = {"1": {"id": "1", "name": "Ada"}}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # or each answer waits 40 ms for its second half

    def do_GET(self):
        if self.path == "/api/health":
            self.answer(200, "ok", "text/plain")
        elif match := re.fullmatch(r"/api/users/([^/?]+)", self.path):
            user = users.get(match[1])
            self.answer(200 if user else 404, user or {"message": f"No user {match[1]}"})
        elif match := re.fullmatch(r"/api/profiles/([^/?]+)", self.path):
            self.answer(200, {"id": match[1], "runtime": "deno"})
        else:
            self.answer(404, {"message": "Not found"})

    def do_PATCH(self):
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        match = re.fullmatch(r"/api/users/([^/?]+)", self.path)
        if not match:
            return self.answer(404, {"message": "Not found"})
        try:
            name = json.loads(body)["name"]
        except (ValueError, KeyError):
            return self.answer(400, {"message": "The body must be JSON with a name"})
        if not name:
            return self.answer(400, {"message": "The name must not be empty"})
        if match[1] not in users:
            return self.answer(404, {"message": f"No user {match[1]}"})
        users[match[1]]["name"] = name
        self.answer(200, users[match[1]])

    def answer(self, status, value, content_type="application/json"):
        content = (value if isinstance(value, str) else json.dumps(value)).encode()
        self.send_response(status)
        self.send_header("content-type", content_type)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass

    def handle(self):
        try:
            super().handle()
        except Exception:
            pass  # what is not caught closes the connection


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
