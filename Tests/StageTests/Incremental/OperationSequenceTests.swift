internal import TestSupport
internal import Testing

/// Whatever an owner does with the files, the facts are those of one run over what is in use.
struct OperationSequenceTests {
  @Test(.timeLimit(.minutes(30)), arguments: LongTests.seeds(1, long: 40))
  func `thirty operations in any order equal one run`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: 67_000 + seed)
    var sequence = try OperationSequence()
    for _ in 0..<(LongTests.areOn ? 30 : 12) {
      let operation = try #require(
        OperationSequence.Operation.allCases.randomElement(using: &random))
      try sequence.perform(operation, using: &random)
    }
    try sequence.run()
    let (facts, expected) = (try sequence.published(), try sequence.publishedByOneRun())
    #expect(
      facts == expected,
      "seed \(seed): \(sequence.history): \(facts.difference(from: expected))")
  }
}
