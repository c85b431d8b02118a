"""Runs against a service: RELIABILITY_URL, RELIABILITY_KEY, and WEBHOOK, a delivery that it signed."""
import json
import os
import sys
import threading
import time
import unittest
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from reliability_client import (
    Client,
    ReliabilityConnectionError,
    ReliabilityError,
    UserNotFoundError,
    ValidationError,
    WebhookVerificationError,
    verify_webhook,
)

URL = os.environ['RELIABILITY_URL']
KEY = os.environ['RELIABILITY_KEY']
client = Client(URL, KEY)
# Several versions of Python may run against one service.
ME = f'python3.{sys.version_info.minor}'


def report(user_id, **options):
    return client.record_event({'userId': user_id, 'eventType': 'CONTRACT_FULFILLED'}, **options)


def eventually(read):
    for _ in range(600):
        value = read()
        if value:
            return value
        time.sleep(0.1)
    raise AssertionError('it did not happen within a minute')


class Methods(unittest.TestCase):
    def test_take_path_then_body_or_query_and_return_json(self):
        event = report(f'{ME} a b/ä')['event']
        self.assertEqual(event['userId'], f'{ME} a b/ä')
        self.assertEqual(client.read_event(event['id'])['userId'], f'{ME} a b/ä')
        users = eventually(lambda: client.list_users({'q': f'{ME} a b/', 'limit': 5})['users'])
        self.assertEqual([user['externalId'] for user in users], [f'{ME} a b/ä'])

    def test_that_return_nothing_return_none(self):
        report(f'{ME}-watched')
        monitor = client.create_monitor({'userId': f'{ME}-watched', 'belowScore': 40})
        self.assertIsNone(client.delete_monitor(monitor['id']))

    def test_send_csv_as_it_is(self):
        mapping = client.save_mapping({'name': ME, 'mapping': {
            'userId': {'path': 'who'},
            'eventType': {'path': 'what', 'table': {'done': 'CONTRACT_FULFILLED'}},
        }})
        started = client.create_import(f'who,what\n{ME}-row,done\n', query={'mappingId': mapping['id']})
        done = eventually(lambda: ended(client.read_import(started['id'])))
        self.assertEqual((done['status'], done['createdCount']), ('COMPLETED', 1))

    def test_refuse_a_part_of_the_path_that_would_address_another_operation(self):
        for part in ('', '.', '..'):
            with self.assertRaisesRegex(ValueError, 'id cannot be'):
                client.read_score(part)

    def test_of_a_client_without_address_say_what_is_missing(self):
        with self.assertRaisesRegex(ValueError, 'base_url must be the address'):
            Client('')

    def test_ask_for_the_key_each_time(self):
        keys = iter(['crd_live_unknown', KEY])
        changing = Client(URL, lambda: next(keys))
        with self.assertRaises(ReliabilityError):
            changing.list_users()
        self.assertIn('users', changing.list_users())


def ended(job):
    return job if job['status'] in ('COMPLETED', 'FAILED') else None


class Pages(unittest.TestCase):
    def test_are_read_one_after_the_other_and_each_item_once(self):
        names = [f'{ME}-page-{number}' for number in range(7)]
        client.record_events({'events': [
            {'userId': name, 'eventType': 'CONTRACT_FULFILLED'} for name in names
        ]})
        seen = [event['userId'] for event in client.export_events_each({'limit': 2})]
        self.assertEqual(sorted(name for name in seen if name.startswith(f'{ME}-page-')), names)
        sizes = [len(page['events']) for page in client.export_events_pages({'limit': 4})]
        self.assertEqual(set(sizes[:-1]), {4})


class Errors(unittest.TestCase):
    def test_have_a_class_for_their_code_and_what_the_service_said(self):
        with self.assertRaises(ValidationError) as raised:
            client.record_event({'userId': 'x', 'eventType': 'NONSENSE'})
        error = raised.exception
        self.assertEqual((error.status, error.code, error.retryable), (400, 'VALIDATION_ERROR', False))
        self.assertEqual(error.details[0]['path'], 'eventType')
        self.assertTrue(error.request_id)
        with self.assertRaises(UserNotFoundError):
            client.read_score(f'{ME}-nobody')

    def test_of_a_server_that_is_not_there_say_so(self):
        with self.assertRaises(ReliabilityConnectionError):
            Client('http://127.0.0.1:9', 'k', retries=0).list_plans()


class Server:
    """Answers with what `answer(request)` returns: status, headers, body; None: nothing, and hangs up."""

    def __init__(self, answer):
        self.requests = []
        self.connections = 0
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = 'HTTP/1.1'

            def setup(self):
                outer.connections += 1
                super().setup()

            def handle_one(self):
                length = int(self.headers.get('content-length', 0))
                outer.requests.append((self.command, self.path, dict(self.headers), self.rfile.read(length)))
                answered = answer(len(outer.requests))
                self.close_connection = answered is None or 'connection' in answered[1]
                if answered is None:
                    return
                status, headers, body = answered
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header('content-length', str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = handle_one

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        self.url = f'http://127.0.0.1:{self._server.server_port}'
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def serving(answer):
    server = Server(answer)
    try:
        yield server
    finally:
        server.close()


def answered(body, status=200, **headers):
    return status, {'content-type': 'application/json', **headers}, json.dumps(body).encode()


def refusal(retryable, **headers):
    body = {'error': 'no', 'code': 'OVERLOADED', 'requestId': 'r', 'retryable': retryable}
    return answered(body, 503, **headers)


class Tries(unittest.TestCase):
    def test_after_a_lost_answer_send_the_same_write_with_the_same_key(self):
        with serving(lambda number: None if number == 1 else answered({'eventId': 'e'})) as server:
            Client(server.url, 'k').record_event({'userId': 'u', 'eventType': 'CONTRACT_FULFILLED'})
        first, second = server.requests
        self.assertEqual(first[3], second[3])
        self.assertEqual(first[2]['idempotency-key'], second[2]['idempotency-key'])

    def test_do_not_repeat_a_write_that_takes_no_key(self):
        with serving(lambda _: None) as server:
            with self.assertRaises(ReliabilityConnectionError):
                Client(server.url, 'k').read_scores({'userIds': ['u']})
        self.assertEqual(len(server.requests), 1)

    def test_follow_what_the_service_calls_retryable(self):
        with serving(lambda number: refusal(True, **{'retry-after': '0'}) if number < 3 else answered({})) as server:
            Client(server.url, 'k').read_scores({'userIds': ['u']})
        self.assertEqual(len(server.requests), 3)
        for answer in (refusal(False), refusal(True, **{'retry-after': '61'})):
            with serving(lambda _, own=answer: own) as server:
                with self.assertRaises(ReliabilityError):
                    Client(server.url, 'k').list_plans()
            self.assertEqual(len(server.requests), 1)

    def test_use_one_connection_until_the_server_ends_it(self):
        with serving(lambda number: answered({}, **({'connection': 'close'} if number == 3 else {}))) as server:
            with Client(server.url, 'k', retries=0) as own:
                for _ in range(3):
                    own.list_plans()
                self.assertEqual(server.connections, 1)
                own.list_plans()
                self.assertEqual(server.connections, 2)

    def test_notice_a_connection_that_ended_while_it_was_idle(self):
        with serving(lambda _: answered({})) as server:
            own = Client(server.url, 'k', retries=0)
            own.list_plans()
            [idle] = own._connections._idle
            idle.sock.shutdown(2)
            own.list_plans()
        self.assertEqual(server.connections, 2)


class Stream(unittest.TestCase):
    def test_brings_envelopes_as_they_are_written(self):
        stream = Client(URL, KEY).stream_events(['score.updated'])
        reporter = threading.Timer(1, lambda: report(f'{ME}-stream'))
        reporter.start()
        seen = next(envelope for envelope in stream if envelope['data']['user']['externalId'] == f'{ME}-stream')
        self.assertEqual(seen['type'], 'score.updated')
        reporter.join()

    def test_resumes_after_the_last_position_and_says_that_envelopes_were_missed(self):
        blocks = [
            b'retry: 1\nid: position\n\n: heartbeat\n\nid: one\ndata: {"type": "a"}\n\nid: cut\ndata: {"ty',
            b'event: reset\ndata: {"reason": "too_old"}\n\n',
        ]
        kind = {'content-type': 'text/event-stream', 'connection': 'close'}
        with serving(lambda number: (200, kind, blocks[number - 1])) as server:
            stream = Client(server.url, 'k').stream_events()
            self.assertEqual(next(stream), {'type': 'a'})
            self.assertEqual(next(stream), {'type': 'reset', 'reason': 'too_old'})
            stream.close()
        self.assertEqual(server.requests[1][2]['last-event-id'], 'one')

    def test_raises_what_the_service_refuses(self):
        with self.assertRaises(ReliabilityError):
            next(Client(URL, 'crd_live_unknown').stream_events())


class Webhooks(unittest.TestCase):
    def setUp(self):
        given = json.loads(os.environ['WEBHOOK'])
        self.body, self.headers, self.secret = given['body'].encode(), given['headers'], given['secret']

    def verified(self, body=None, secret=None, **headers):
        return verify_webhook(body or self.body, {**self.headers, **headers}, secret or self.secret)

    def test_that_are_genuine_give_their_envelope(self):
        self.assertEqual(self.verified(), json.loads(self.body))
        standard = {name: value for name, value in self.headers.items() if not name.startswith('X-Service')}
        own = {name: value for name, value in self.headers.items() if not name.startswith('webhook')}
        for headers in (standard, own):
            self.assertEqual(verify_webhook(self.body, headers, self.secret), json.loads(self.body))

    def test_that_are_forged_are_refused(self):
        forged = [
            {'secret': 'whsec_AAAA'},
            {'secret': 'another'},
            {'body': self.body + b' '},
            {'X-Service-Signature': '0' * 64},
            {'X-Service-Signature': 'é'},
            {'X-Service-Timestamp': '1'},
            {'X-Service-Timestamp': 'NaN'},
            {'webhook-signature': 'v1,' + 'A' * 43 + '='},
            {'webhook-id': 'another'},
            {'webhook-timestamp': '9999999999'},
        ]
        for change in forged:
            with self.subTest(change), self.assertRaises(WebhookVerificationError):
                self.verified(**change)
        with self.assertRaisesRegex(WebhookVerificationError, 'no signature'):
            verify_webhook(self.body, {}, self.secret)

    def test_that_were_parsed_or_have_no_secret_say_what_is_wrong(self):
        with self.assertRaisesRegex(TypeError, 'as it arrived'):
            verify_webhook(json.loads(self.body), self.headers, self.secret)
        with self.assertRaisesRegex(TypeError, 'is missing'):
            verify_webhook(self.body, self.headers, '')


if __name__ == '__main__':
    unittest.main()
