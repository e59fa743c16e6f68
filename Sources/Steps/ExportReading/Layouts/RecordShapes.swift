/// The different lists of paths to the values of a record, in the order of their first records.
struct RecordShapes {
  private(set) var all: [[String]] = []
  private var known: Set<[String]> = []

  mutating func note(_ shape: [String]) {
    if known.insert(shape).inserted { all.append(shape) }
  }
}
