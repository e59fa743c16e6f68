internal import PaidAmounts
internal import PriceLearning
internal import Purchases
internal import Subscriptions
internal import Testing

@Test(arguments: StoryFile.stories)
func `a story's facts come true`(_ file: StoryFile) throws {
  let story = try file.load()
  #expect(story.failsWith.isEmpty, "only a canary says how it fails")
  let differences = differences(of: story, facts: try play(story).facts)
  #expect(differences.isEmpty, "\(file.id)\n\(differences.joined(separator: "\n"))")
}

@Test(arguments: StoryFile.stories)
func `a story in reverse order gives the same facts`(_ file: StoryFile) throws {
  var story = try file.load()
  story.timeline.reverse()
  let differences = differences(of: story, facts: try play(story).facts)
  #expect(differences.isEmpty, "\(file.id)\n\(differences.joined(separator: "\n"))")
}

@Test(arguments: StoryFile.canaries)
func `a canary fails with its message`(_ file: StoryFile) throws {
  let story = try file.load()
  #expect(!story.failsWith.isEmpty)
  #expect(differences(of: story, facts: try play(story).facts) == story.failsWith)
}

@Test func `there is a canary for every section`() throws {
  let messages = try StoryFile.canaries.flatMap { try $0.load().failsWith }
  for section in StorySection.allCases {
    #expect(
      messages.contains { $0.hasPrefix(section.rawValue + " ") },
      "nobody has seen an expectation of \(section.rawValue) fail")
  }
}

@Test func `there are stories enough`() {
  #expect(StoryFile.stories.count >= 60)
}

/// The words that must occur in at least one scenario, by section and field.
///
/// Stories have no exports of hosted services, and no days that are complete.
private let vocabularies: [(section: StorySection, field: String, words: [String])] = [
  (.paidAmounts, "rule", PriceRule.allCases.filter { $0 != .servicePrice }.map(\.rawValue)),
  (.paidAmounts, "status", PriceStatus.allCases.map(\.rawValue)),
  (.paidAmounts, "kind", PeriodKind.allCases.map(\.rawValue)),
  (.paidAmounts, "mode", RowPaymentMode.allCases.map(\.rawValue)),
  (.paidAmounts, "storefront_source", StorefrontSource.allCases.map(\.rawValue)),
  (.paidAmounts, "reversal", ReversalKind.allCases.map(\.rawValue)),
  (.conversions, "status", ConversionStatus.allCases.map(\.rawValue)),
  (.subscriptions, "status", SubscriptionStatus.allCases.filter { $0 != .notSeen }.map(\.rawValue)),
  (.eligibility, "reason", IntroReason.allCases.map(\.rawValue)),
  (.excluded, "reason", ExclusionReason.allCases.map(\.rawValue)),
  (.verdicts, "verdict", Verdict.allCases.filter { $0 != .charged }.map(\.rawValue)),
]

@Test func `every word of every vocabulary occurs in a story`() throws {
  let stories = try StoryFile.stories.map { try $0.load() }
  for (section, field, words) in vocabularies {
    let covered = Set(
      stories.flatMap { $0.expectations[section] ?? [] }.compactMap { $0.fields[field] })
    for word in words {
      #expect(covered.contains(word), "no story expects \(section.rawValue) \(field) \(word)")
    }
  }
}
