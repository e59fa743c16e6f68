/// Compares the expected facts of a scenario with the actual ones.
///
/// Lists are complete: an additional fact is a difference, and so is a missing fact. Facts are
/// matched by identity and compared field by field, so that a wrong amount is reported as a wrong
/// amount.
func differences(of story: Story, facts: (StorySection) throws -> [StoryFact]) rethrows
  -> [String]
{
  var messages: [String] = []
  for section in StorySection.allCases {
    guard let expected = story.expectations[section] else { continue }
    messages += differences(section: section, expected: expected, actual: try facts(section))
  }
  return messages
}

private func differences(section: StorySection, expected: [StoryFact], actual: [StoryFact])
  -> [String]
{
  var messages: [String] = []
  var rest = actual
  for fact in expected {
    let name = "\(section.rawValue) \(fact.identity)"
    guard let index = rest.firstIndex(where: { $0.identity == fact.identity }) else {
      messages.append("\(name): expected a row, got none")
      continue
    }
    let found = rest.remove(at: index)
    for (field, value) in fact.fields.sorted(by: { $0.key < $1.key }) {
      let got = found.fields[field] ?? "none"
      if got != value { messages.append("\(name): \(field) expected \(value), got \(got)") }
    }
  }
  for fact in rest {
    let said = section.required.map { "\($0) \(fact.fields[$0] ?? "none")" }
    messages.append(
      "\(section.rawValue) \(fact.identity): expected no row, got \(said.joined(separator: ", "))")
  }
  return messages
}
