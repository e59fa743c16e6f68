internal import Diagnostics

/// Reads objects that follow one another.
extension ExportFramer {
  /// Reads objects one after another; an object may have several lines.
  ///
  /// After an invalid object, reading continues at the next line that begins with an opening brace.
  /// The lines inside a pretty-printed object are indented and do not begin with a brace.
  ///
  /// The parser may notice the fault only after the beginning of such a line. Then reading goes
  /// back to that line. Example: an object is cut off inside a list, so that the next line's object
  /// seems to be an element of the list.
  mutating func readSequence() throws(ExportError) {
    while !hasEnough {
      try skipBlanks()
      guard buffer.start < buffer.end else { return }
      let outcome = skipOneValue()
      switch outcome {
      case .ended(let end):
        let range = buffer.start..<end
        if range.count > limits.record {
          rejectTooLarge(at: line)
        } else {
          readRecord(range, at: line)
        }
        let isObject = buffer[range.lowerBound] == Byte.openBrace
        use(upTo: end)
        // Without its beginning, the rest of a line is not a record.
        if !isObject { try skipLine() }
        try deliver()
      case .needsMore where buffer.end - buffer.start > limits.record:
        rejectTooLarge(at: line)
        try skipToObjectLine(from: buffer.end)
      case .needsMore:
        try buffer.fill()
      case .failed(let fault, let end):
        if let next = objectLine(in: (buffer.start + 1)..<max(end, buffer.start + 1)) {
          let length = next - 1 - buffer.start
          reader.reject(.invalidJSON, detail: "at byte \(length), where it is cut off", at: line)
          use(upTo: next)
          continue
        }
        let reason = end - buffer.start > limits.record ? .recordTooLarge : fault.reason
        let isCutOff = end == buffer.end || buffer[end] == Byte.newline
        let detail = "at byte \(fault.offset)" + (isCutOff ? ", where it is cut off" : "")
        let advice = reason == .invalidJSON ? adviceOnLine() : nil
        reader.reject(
          reason, detail: [detail, advice].compactMap(\.self).joined(separator: "; "), at: line)
        try skipToObjectLine(from: end)
      }
    }
  }

  /// Returns advice about the line at the start of the buffer, which is not JSON.
  private func adviceOnLine() -> String? {
    var end = buffer.start
    while end < buffer.end, buffer[end] != Byte.newline { end += 1 }
    return buffer.withText(buffer.start..<end) {
      DoubledBackslashes.advice(on: $0) ?? PythonText.advice(on: $0)
    }
  }

  private enum ValueOutcome {
    case ended(Int)
    case needsMore
    case failed(JSONFault, Int)
  }

  /// Validates the value at the start of the buffer and finds its end.
  private func skipOneValue() -> ValueOutcome {
    let range = buffer.start..<buffer.end
    let isComplete = buffer.isComplete
    return buffer.withText(range) { cursor in
      var cursor = cursor
      do throws(JSONFault) {
        try cursor.skipValue(level: 0)
        let last = cursor.byte(at: cursor.position - 1)
        let isClosed = last == Byte.closeBrace || last == Byte.closeBracket || last == Byte.quote
        if cursor.position == cursor.end, !isClosed, !isComplete { return .needsMore }
        return .ended(range.lowerBound + cursor.position)
      } catch {
        // If the fault is near the end, within the length of an escape, the rest of the text may be
        // missing.
        if !isComplete, cursor.end - error.offset < 16 { return .needsMore }
        return .failed(error, range.lowerBound + error.offset)
      }
    }
  }

  /// Finds the first line in a range that begins with a brace; `nil` if there is none.
  private func objectLine(in range: Range<Int>) -> Int? {
    range.first { buffer[$0] == Byte.openBrace && buffer[$0 - 1] == Byte.newline }
  }

  /// Continues at the first line, after a position, that begins with a brace.
  private mutating func skipToObjectLine(from position: Int) throws(ExportError) {
    var position = max(position, buffer.start + 1)
    while true {
      if position >= buffer.end {
        // Keep the last byte, which may be the newline before a brace.
        use(upTo: max(buffer.start, buffer.end - 1))
        guard !buffer.isComplete else {
          use(upTo: buffer.end)
          return
        }
        try buffer.fill()
        position = buffer.start + 1
        continue
      }
      if buffer[position] == Byte.openBrace, buffer[position - 1] == Byte.newline {
        use(upTo: position)
        return
      }
      guard let newline = buffer.newline(from: position) else {
        position = buffer.end
        continue
      }
      position = newline + 1
    }
  }
}
