@testable internal import AppStoreClient
internal import CivilTime
internal import ExportReading
internal import Synchronization
internal import Testing

/// A series of replies that records the requests and the waits.
private final class Play: Sendable {
  struct Record {
    var replies: [AppleReply]
    var asked: [String] = []
    var waits: [Milliseconds] = []
  }

  let record: Mutex<Record>

  init(_ replies: [AppleReply]) { record = Mutex(Record(replies: replies)) }

  func outcome(attempts: Int = 3) async throws -> AskingOutcome<AppleAnswer>? {
    let service = AppleConnection(
      send: { request in
        self.record.withLock { record in
          let body = String(decoding: request.body ?? [], as: UTF8.self)
          record.asked.append("\(request.address) \(body)")
          return record.replies.isEmpty ? .failure(.connection) : record.replies.removeFirst()
        }
      }, close: {})
    let client = AppleClient(
      service, addresses: [.production: "production", .sandbox: "sandbox"], rateLimiters: [:],
      tokens: nil, plan: RetryPlan(attempts: attempts, firstWait: .seconds(1)),
      sleep: { wait in self.record.withLock { $0.waits.append(wait) } })
    return await client.ask(.receipt(try rawReceipt(), secret: nil)) { reply, environment in
      AppleAnswer.meaning(of: reply, from: environment, secret: nil)
    }
  }

  var environments: [String] {
    record.withLock { $0.asked.map { String($0.prefix { $0 != " " }) } }
  }
  var waits: [Milliseconds] { record.withLock { $0.waits } }
}

private func rawReceipt() throws -> RawReceipt {
  try #require(try rawReceipts("{\"receipt\":\"QUJD\"}").first).get()
}

private func status(_ code: Int) -> AppleReply {
  .answer(status: 200, retryAfter: nil, body: Array("{\"status\":\(code)}".utf8))
}

private func answered(_ code: Int) -> AskingOutcome<AppleAnswer> {
  .answer(AppleAnswer(status: code, text: Array("{\"status\":\(code)}".utf8)))
}

@Test func `production is asked first, and is enough`() async throws {
  let play = Play([status(0)])
  #expect(try await play.outcome() == answered(0))
  #expect(play.record.withLock { $0.asked } == ["production {\"receipt-data\":\"QUJD\"}"])
}

@Test func `21007 leads to the sandbox, and 21008 back`() async throws {
  let play = Play([status(21007), status(0)])
  #expect(try await play.outcome() == answered(0))
  #expect(play.environments == ["production", "sandbox"])
  let back = Play([status(21007), status(21008), status(0)])
  #expect(try await back.outcome() == answered(0))
  #expect(back.environments == ["production", "sandbox", "production"])
  #expect(back.waits.isEmpty)
}

@Test func `being sent to and fro for ever is a failure of the moment`() async throws {
  let round = [status(21007), status(21008), status(21007)]
  let play = Play(round + round)
  #expect(try await play.outcome(attempts: 2) == .pending(reason: "sent_to_and_fro"))
  #expect(play.environments.count == 6)
  #expect(play.waits.count == 1)
}

@Test func `failures are waited out as the plan says, then the receipt stays pending`()
  async throws
{
  let play = Play([
    .failure(.timeout), status(21005), .answer(status: 500, retryAfter: nil, body: []),
  ])
  #expect(try await play.outcome() == .pending(reason: "http_500"))
  let key = try rawReceipt().key
  let plan = RetryPlan(attempts: 3, firstWait: .seconds(1))
  #expect(play.waits == [1, 2].map { plan.wait(afterAttempt: $0, key: key) })
}

@Test func `a failure that passes is an answer`() async throws {
  let play = Play([.failure(.cut), status(21009), status(21006)])
  #expect(try await play.outcome() == answered(21006))
  #expect(play.waits.count == 2)
}

@Test func `the attempt after a failure begins in production again`() async throws {
  let play = Play([status(21007), status(21005), status(21007), status(0)])
  #expect(try await play.outcome() == answered(0))
  #expect(play.environments == ["production", "sandbox", "production", "sandbox"])
}

@Test func `last words are not asked for twice`() async throws {
  for (code, outcome) in [
    (21002, AskingOutcome<AppleAnswer>.rejected(reason: AppleAnswer.perhapsMalformed)),
    (21003, .rejected(reason: "status_21003")), (21004, .refused(reason: "status_21004")),
  ] {
    let play = Play([status(code), status(0)])
    #expect(try await play.outcome() == outcome)
    #expect(play.environments.count == 1)
  }
}

@Test func `a run that stops finds nothing out`() async throws {
  let play = Play([status(0)])
  let task = Task {
    unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
    return try await play.outcome()
  }
  #expect(try await task.value == nil)
  #expect(play.environments.isEmpty)
}
