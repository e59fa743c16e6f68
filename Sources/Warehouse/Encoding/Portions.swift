extension Range<Int> {
  /// The range in parts, of which each is gathered before its first row is written.
  ///
  /// In the order of their keys rows lie anywhere in the books that they are written from. Where
  /// several are gathered one after another, the processor fetches them together; else it would
  /// wait for each by itself.
  var inPortions: some Sequence<Range<Int>> {
    let together = 32
    return stride(from: lowerBound, to: upperBound, by: together).lazy.map {
      $0..<Swift.min($0 + together, upperBound)
    }
  }
}
