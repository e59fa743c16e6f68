internal import Testing

struct BadStory: CustomTestStringConvertible {
  var testDescription: String
  var change: (from: String, to: String)
  var message: String
}

private let goodStory = """
  story: Ana pays.
  why: The example.
  timeline:
    - {report: "2024-03-01T00:00:05Z", of: T1, price: "9.99 USD"}
    - receipt: "2024-03-02T00:00:00Z"
      rows:
        - {id: T1, from: "2024-03-01T00:00:00Z", to: "2024-04-01T00:00:00Z"}
  expect:
    paid_amounts:
      - {id: T1, paid: "9.99 USD", rule: reported_with_purchase}
  math: 9.99 was reported.
  """

private let badStories = [
  BadStory(
    testDescription: "a key nobody knows", change: ("of: T1", "off: T1"),
    message: "timeline[0]: unknown key 'off'"),
  BadStory(
    testDescription: "money without quotes", change: ("paid: \"9.99 USD\"", "paid: 9.99"),
    message: "expect.paid_amounts[0].paid: money and times stand in quotes"),
  BadStory(
    testDescription: "a time without quotes",
    change: ("from: \"2024-03-01T00:00:00Z\"", "from: 2024-03-01"),
    message: "timeline[1].rows[0].from: money and times stand in quotes"),
  BadStory(
    testDescription: "an amount without its arithmetic", change: ("math: 9.99 was reported.", ""),
    message: "'math' must say why"),
  BadStory(
    testDescription: "a story without a reason", change: ("why: The example.", ""),
    message: "'why' is missing"),
  BadStory(
    testDescription: "an unknown amount without bounds",
    change: ("paid: \"9.99 USD\"", "paid: unresolved"), message: "'low' is missing"),
  BadStory(
    testDescription: "no expected amounts", change: ("paid_amounts:", "conversions:"),
    message: "unknown key 'id'"),
  BadStory(
    testDescription: "an expectation without its rule",
    change: (", rule: reported_with_purchase", ""), message: "'rule' is missing"),
]

@Test(arguments: badStories)
func `a story with a mistake is refused, with the place of the mistake`(_ bad: BadStory) throws {
  let yaml = goodStory.replacing(bad.change.from, with: bad.change.to)
  #expect(yaml != goodStory)
  let error = try #require(throws: StoryError.self) { _ = try Story(id: "bad", yaml: yaml) }
  #expect(error.description.contains(bad.message))
}

@Test func `a key that occurs twice is refused`() {
  let yaml = goodStory.replacing("of: T1,", with: "of: T1, of: T2,")
  #expect(throws: (any Error).self) { _ = try Story(id: "bad", yaml: yaml) }
}

@Test func `the good story is good`() throws {
  let story = try Story(id: "good", yaml: goodStory)
  #expect(story.timeline.count == 2)
  #expect(differences(of: story, facts: try play(story).facts).isEmpty)
}
